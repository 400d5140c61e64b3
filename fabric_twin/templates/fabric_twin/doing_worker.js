// Gives out the page of a work order, and that of my orders, where there is no network: as it was when there last was one.
const KEPT = "fabric-twin-doing-1";
const FILES = [{% for file in kept %}"{{ file|escapejs }}"{% if not forloop.last %}, {% endif %}{% endfor %}];

self.addEventListener("install", (event) => {
    event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

const isPage = (url) => url.pathname.endsWith("/do/") || url.pathname.endsWith("/work-orders/mine/");
const isFile = (url) => FILES.includes(url.pathname + url.search) || FILES.includes(url.pathname);

// The step that is asked for is the page's own matter: kept once, it opens with any.
function keyOf(url) {
    if (isPage(url)) { url.searchParams.delete("step"); }
    return url.href;
}

async function freshOrKept(request, key) {
    const kept = await caches.open(KEPT);
    try {
        const fresh = await fetch(request);
        // What leads to the login is not the page.
        if (fresh.ok && !fresh.redirected) {
            await kept.put(key, fresh.clone());
        }
        return fresh;
    } catch (lost) {
        const known = await kept.match(key, { ignoreVary: true });
        if (known) {
            return known;
        }
        throw lost;
    }
}

self.addEventListener("fetch", (event) => {
    const url = new URL(event.request.url);
    const ours = url.origin === self.location.origin && event.request.method === "GET";
    if (ours && (isPage(url) || isFile(url))) {
        event.respondWith(freshOrKept(event.request, keyOf(url)));
    }
});
