// The sounds of the table, made here: a few warm tones and a little noise, no samples.
import type { Sound } from "./sounds";

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

function audio(): AudioContext {
  if (!context) {
    context = new AudioContext();
    noise = context.createBuffer(1, context.sampleRate * 0.5, context.sampleRate);
    const data = noise.getChannelData(0);
    for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
  }
  if (context.state === "suspended") void context.resume();
  return context;
}

// Some browsers let a page sound only if that begins inside a gesture, and fall silent after a telephone call.
for (const gesture of ["click", "keydown"]) addEventListener(gesture, audio, true);

interface Voice { at: number; to: AudioNode; c: AudioContext }

/** A struck tone: quick to come, slow to go. */
function tone({ at, to, c }: Voice, hertz: number, seconds: number, loud: number, shape: OscillatorType = "sine", slide = 1): void {
  const o = c.createOscillator(), g = c.createGain();
  o.type = shape;
  o.frequency.setValueAtTime(hertz, at);
  if (slide !== 1) o.frequency.exponentialRampToValueAtTime(hertz * slide, at + seconds);
  g.gain.setValueAtTime(0.0001, at);
  g.gain.exponentialRampToValueAtTime(loud, at + 0.012);
  g.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  o.connect(g).connect(to);
  o.start(at);
  o.stop(at + seconds + 0.02);
}

/** A rustle: noise through a band. */
function rustle({ at, to, c }: Voice, hertz: number, seconds: number, loud: number, slide = 1): void {
  const n = c.createBufferSource(), f = c.createBiquadFilter(), g = c.createGain();
  n.buffer = noise;
  n.loop = true;
  f.type = "bandpass";
  f.Q.value = 0.9;
  f.frequency.setValueAtTime(hertz, at);
  if (slide !== 1) f.frequency.exponentialRampToValueAtTime(hertz * slide, at + seconds);
  g.gain.setValueAtTime(loud, at);
  g.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  n.connect(f).connect(g).connect(to);
  n.start(at);
  n.stop(at + seconds);
}

const later = (v: Voice, seconds: number): Voice => ({ ...v, at: v.at + seconds });

const SOUNDS: Record<Sound, (v: Voice) => void> = {
  deal: (v) => { for (let i = 0; i < 3; i++) rustle(later(v, i * 0.09), 1900, 0.07, 0.35, 0.6); },
  take: (v) => { rustle(v, 1400, 0.1, 0.4, 0.5); tone(later(v, 0.05), 262, 0.16, 0.14, "triangle"); },
  bid: (v) => { tone(v, 330, 0.18, 0.22, "triangle"); tone(later(v, 0.07), 440, 0.22, 0.18, "triangle"); },
  chip: (v) => { tone(v, 1250, 0.12, 0.14); tone(later(v, 0.05), 1680, 0.14, 0.12); },
  trap: (v) => { rustle(v, 2600, 0.12, 0.9, 0.15); tone(v, 150, 0.4, 0.5, "square", 0.4); tone(later(v, 0.06), 95, 0.5, 0.4, "sawtooth", 0.5); },
  door: (v) => { tone(v, 130, 0.7, 0.3, "triangle", 1.5); rustle(v, 420, 0.6, 0.3, 1.8); tone(later(v, 0.6), 392, 0.5, 0.16); },
  turn: (v) => { tone(v, 523, 0.3, 0.2); tone(later(v, 0.13), 784, 0.45, 0.2); },
  win: (v) => [523, 659, 784, 1047].forEach((hertz, i) => { tone(later(v, i * 0.13), hertz, 0.6, 0.2, "triangle"); }),
  loss: (v) => [392, 349, 294].forEach((hertz, i) => { tone(later(v, i * 0.2), hertz, 0.55, 0.18, "triangle"); }),
  chat: (v) => { tone(v, 880, 0.09, 0.12); tone(later(v, 0.08), 988, 0.12, 0.12); },
  tick: (v) => { tone(v, 700, 0.06, 0.1); },
};

export function make(sound: Sound, volume: number): void {
  const c = audio(), out = c.createGain();
  out.gain.value = volume * volume * 0.9;
  out.connect(c.destination);
  SOUNDS[sound]({ at: c.currentTime + 0.005, to: out, c });
  setTimeout(() => out.disconnect(), 2500);
}
