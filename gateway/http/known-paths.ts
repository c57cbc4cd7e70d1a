import type { FastifyInstance } from 'fastify'

/** Tells an unknown path from a known one asked with the wrong method. Made before the routes are registered. */
export class KnownPaths {
  readonly #methods = new Map<string, Set<string>>()
  readonly #patterns = new Map<string, readonly string[]>()

  constructor(app: FastifyInstance) {
    app.addHook('onRoute', route => {
      for (const method of [route.method].flat()) this.#add(route.url, method)
    })
  }

  /** Methods of a path without its query, sorted; empty when no route has it. */
  allowed(path: string): readonly string[] {
    const segments = path.split('/')
    const methods = new Set<string>()
    for (const [url, pattern] of this.#patterns)
      if (matches(pattern, segments)) for (const method of this.#methods.get(url) ?? []) methods.add(method)
    return [...methods].sort()
  }

  #add(url: string, method: string): void {
    const known = this.#methods.get(url) ?? new Set()
    this.#methods.set(url, known.add(method))
    if (!url.includes('*')) this.#patterns.set(url, url.split('/'))
  }
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false
  return pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
}
