// On a phone Nautobot's side bar begins closed on our pages; its own button opens it as ever.
"use strict";

(() => {
    if (!window.matchMedia("(max-width: 600px)").matches) { return; }
    // The script stands in the head: the bar is closed as soon as it is there, before it is seen.
    const watcher = new MutationObserver(() => {
        const bar = document.getElementById("sidenav");
        if (!bar) { return; }
        watcher.disconnect();
        bar.classList.add("nb-sidenav-collapsed");
        // Nautobot's script opens it again if the button says closed and no cookie does: said after it.
        window.addEventListener("load", () => bar.querySelector(".nb-sidenav-toggler").setAttribute("aria-expanded", "false"));
    });
    watcher.observe(document.documentElement, { childList: true, subtree: true });
})();
