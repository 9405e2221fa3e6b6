// What is found is told in the page's own words: not in folded code, and not in what a widget holds.
if (location.pathname.endsWith("search.html"))
  addEventListener("DOMContentLoaded", () => {
    const text = Search.htmlToText;
    Search.htmlToText = (html, anchor) => {
      const page = new DOMParser().parseFromString(html, "text/html");
      for (const element of page.querySelectorAll("details, .nx-static, a.download")) element.remove();
      return text(page.documentElement.outerHTML, anchor);
    };
  });

// Paper cannot be clicked: what opens is open on it, but for the checks, and is as it was afterwards.
addEventListener("beforeprint", () => {
  for (const closed of document.querySelectorAll("article details:not([open]):not(.checks)")) {
    closed.open = true;
    addEventListener("afterprint", () => { closed.open = false; }, { once: true });
  }
});

// Hosts the widgets of a page that has no kernel: a model is a plain object that tells its listeners of changes.
addEventListener("DOMContentLoaded", async () => {
  const hosts = document.querySelectorAll(".nx-static");
  if (!hosts.length) return;
  const modules = MODULES;
  const load = (name) => import(URL.createObjectURL(new Blob([modules[name]], { type: "text/javascript" })));
  const loaded = {};
  for (const host of hosts) {
    const { default: widget } = await (loaded[host.dataset.widget] ??= load(host.dataset.widget));
    const state = JSON.parse(host.querySelector("script").textContent);
    const listeners = {};
    const model = {
      get: (name) => state[name],
      set: (name, value) => {
        state[name] = value;
        for (const listener of listeners[`change:${name}`] ?? []) listener();
      },
      on: (event, listener) => (listeners[event] ??= []).push(listener),
      off: (event, listener) => { listeners[event] = (listeners[event] ?? []).filter((l) => l !== listener); },
      save_changes() {},
    };
    const el = document.createElement("div");
    widget.render({ model, el });
    host.replaceChildren(el); // the picture stays until there is something better
  }
});
