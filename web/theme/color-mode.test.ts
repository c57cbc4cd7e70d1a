import { afterAll, expect, test, vi } from 'vitest'

/** As Chromium has it: a list that is read after a switch fires no `change` for it. */
class MediaList {
  static isDark = false
  static readonly all = new Set<MediaList>()
  #known = MediaList.isDark
  readonly #listeners = new Set<() => void>()

  get matches(): boolean {
    this.#known = MediaList.isDark
    return this.#known
  }

  addEventListener(_: 'change', listener: () => void): void {
    this.#listeners.add(listener)
    MediaList.all.add(this)
  }

  frame(): void {
    if (this.#known === MediaList.isDark) return
    this.#known = MediaList.isDark
    for (const listener of this.#listeners) listener()
  }
}

afterAll(() => {
  vi.unstubAllGlobals()
  vi.doUnmock('react')
  vi.resetModules()
})

test('the colors follow a switch of the system, also when the page is drawn before its next frame [P-2814]', async () => {
  const classes = new Set<string>()
  const classList = { toggle: (name: string, on: boolean) => (on ? classes.add(name) : classes.delete(name)) }
  vi.stubGlobal('matchMedia', () => new MediaList())
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('document', { documentElement: { classList, style: {} } })
  vi.doMock('react', () => ({ useSyncExternalStore: (_: unknown, read: () => unknown) => read() }))
  const { useColorMode: colorMode } = await import('./color-mode.ts')
  for (const [isDark, mode] of [
    [true, 'dark'],
    [false, 'light'],
  ] as const) {
    MediaList.isDark = isDark
    expect(colorMode().shown).toBe(mode)
    for (const list of MediaList.all) list.frame()
    expect([...classes]).toEqual([mode])
  }
})
