// The camera reads QR codes: by the browser's own reader where there is one, else by jsQR.
"use strict";

const LONGEST = 960; // pixels of a picture's longer side: larger ones only take longer

// The decoder came from nowhere: the camera itself is well.
class NoDecoder extends Error {}

const cameraSays = (error) => (error instanceof NoDecoder
    ? "The code reader did not load: open this page once with a network, or type the label."
    : "The camera does not open: allow it for this site, or type the label.");

// The buttons that open the camera close it too, and say so.
function showCamera(isOpen) {
    Object.entries({ camera: "Camera", paper: "Scan a code" }).forEach(([name, words]) => {
        $(name).textContent = isOpen ? "Close camera" : words;
        $(name).setAttribute("aria-expanded", isOpen);
    });
}

// What reads a picture of the video: the text of a code, or nothing.
async function reader(decoder) {
    const known = "BarcodeDetector" in window ? await BarcodeDetector.getSupportedFormats().catch(() => []) : [];
    if (known.includes("qr_code")) {
        const own = new BarcodeDetector({ formats: ["qr_code"] });
        return async (video) => ((await own.detect(video))[0] || {}).rawValue;
    }
    if (!window.jsQR) { await loaded(decoder); }
    const canvas = document.createElement("canvas");
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    return async (video) => {
        const share = Math.min(1, LONGEST / Math.max(video.videoWidth, video.videoHeight, 1));
        canvas.width = Math.max(1, Math.round(video.videoWidth * share));
        canvas.height = Math.max(1, Math.round(video.videoHeight * share));
        pen.drawImage(video, 0, 0, canvas.width, canvas.height);
        const { data, width, height } = pen.getImageData(0, 0, canvas.width, canvas.height);
        return (jsQR(data, width, height) || {}).data;
    };
}

// The decoder is large, and fetched when a camera is first used; the worker has it without a network.
const loaded = (address) => new Promise((resolve, reject) => {
    const failed = () => reject(new NoDecoder());
    const script = Object.assign(document.createElement("script"), { src: address, onload: resolve, onerror: failed });
    document.head.append(script);
});

// Shows what the camera sees in `video`, until a code is read or the video is hidden.
async function film(video, decoder, found) {
    const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: { ideal: 1280 } } });
    const stop = () => { stream.getTracks().forEach((track) => track.stop()); video.hidden = true; showCamera(false); };
    try {
        video.srcObject = stream;
        video.hidden = false;
        showCamera(true);
        video.scrollIntoView({ block: "nearest" });
        await video.play();
        const read = await reader(decoder);
        while (!video.hidden) {
            const text = await read(video).catch(() => "");
            if (text && !video.hidden) { stop(); found(text); return; }
            await new Promise((next) => { requestAnimationFrame(next); });
        }
    } finally { stop(); }
}
