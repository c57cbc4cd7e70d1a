import { safeMedia } from './dom.ts'

const TONES = [660, 880]

/** Two short tones, where no sound is given. */
const beep = (): void => {
  const audio = new AudioContext()
  for (const [at, frequency] of TONES.entries()) {
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    volume.gain.value = 0.08
    tone.frequency.value = frequency
    tone.connect(volume).connect(audio.destination)
    tone.start(audio.currentTime + at * 0.18)
    tone.stop(audio.currentTime + at * 0.18 + 0.15)
  }
  setTimeout(() => void audio.close(), 1_000)
}

/** Signals that an agent joined. Browsers that block sound before a user gesture stay silent. */
export const alertOfAgent = (sound: string | null): void => {
  const src = safeMedia(sound)
  if (src === undefined) beep()
  else void new Audio(src).play().catch(() => undefined)
}
