// Brings widgets to life where no kernel is: a model is a plain object that tells its listeners of changes.
// `load` gives the module of a widget by its name; `meet` may see each widget once it is drawn.
async function bring(hosts, load, meet = () => {}) {
  for (const host of hosts) {
    const { default: widget } = await load(host.dataset.widget);
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
    const own = { ...state };
    const el = document.createElement("div");
    widget.render({ model, el });
    meet(host.dataset.widget, widget, { model, own, root: el.firstElementChild });
    host.replaceChildren(el); // the picture stays until there is something better
  }
}
