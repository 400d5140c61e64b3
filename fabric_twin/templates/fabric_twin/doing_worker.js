// Gives out the page of a work order where there is no network: as it was when there last was one.
// The name is another one after each change of the App: a page is never given out with scripts of another version.
const OURS = "fabric-twin-doing-";
const KEPT = `${OURS}{{ version|escapejs }}`;
const FILES = [{% for file in kept %}"{{ file|escapejs }}"{% if not forloop.last %}, {% endif %}{% endfor %}];

self.addEventListener("install", (event) => {
    event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)).then(renewed).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
    event.waitUntil(older().then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

const isPage = (url) => url.pathname.endsWith("/do/");
const isFile = (url) => FILES.includes(url.pathname + url.search) || FILES.includes(url.pathname);

const older = async () => (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== KEPT);

// The pages that the version before kept, as they are now.
async function renewed() {
    for (const name of await older()) {
        for (const page of await (await caches.open(name)).keys()) {
            const url = new URL(page.url);
            if (isPage(url)) { await freshOrKept(url.href, keyOf(url)).catch(() => {}); }
        }
    }
}

// The step that is asked for is the page's own matter: kept once, it opens with any. Crew 1 is
// also the crew of an address that names none.
function keyOf(url) {
    if (isPage(url)) {
        url.searchParams.delete("step");
        if (url.searchParams.get("crew") === "1") { url.searchParams.delete("crew"); }
    }
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
