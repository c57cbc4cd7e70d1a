/** Frequencies of the two tones of a sound, Hz. */
const TONES = { chat: [660, 880], message: [520, 520] } as const
const TONE_S = 0.12

let context: AudioContext | undefined

/** Whether the browser plays sounds on this page: it allows them after a click or a key. */
export const isSoundAllowed = (): boolean => context?.state === 'running'

/** Asks the browser to allow sounds; it does within a click or a key press. */
export const allowSound = async (): Promise<boolean> => {
  context ??= new AudioContext()
  // Without a gesture of the user `resume` waits for one instead of failing.
  const waited = new Promise<void>(resolve => setTimeout(resolve, 300))
  await Promise.race([context.resume().catch(() => undefined), waited])
  return isSoundAllowed()
}

export const playSound = (kind: keyof typeof TONES): void => {
  if (context?.state !== 'running') return
  for (const [place, frequency] of TONES[kind].entries()) {
    const start = context.currentTime + place * (TONE_S + 0.03)
    const oscillator = context.createOscillator()
    const volume = context.createGain()
    oscillator.frequency.value = frequency
    volume.gain.setValueAtTime(0.0001, start)
    volume.gain.exponentialRampToValueAtTime(0.18, start + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, start + TONE_S)
    oscillator.connect(volume).connect(context.destination)
    oscillator.start(start)
    oscillator.stop(start + TONE_S)
  }
}
