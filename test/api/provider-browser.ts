import { type Client, clientOf, type Parley } from './harness.ts'

/** Cookies by name, sent to every path: their paths are looked at where they are tested. */
class CookieJar {
  readonly #cookies = new Map<string, string>()
  /** `Set-Cookie` lines as they came. */
  readonly lines: string[] = []

  take(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      this.lines.push(line)
      const [pair = ''] = line.split(';')
      const [name = '', ...value] = pair.split('=')
      if (value.join('=') === '' || /expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(name)
      else this.#cookies.set(name, value.join('='))
    }
  }

  get(name: string): string | undefined {
    return this.#cookies.get(name)
  }

  get header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }
}

interface Begun {
  /** Address at the provider. */
  readonly location: string
  readonly state: string
  readonly nonce: string
}

export interface Finished {
  readonly status: number
  readonly code: string | undefined
  readonly text: string
  /** Target of the page. */
  readonly leads: string | undefined
  readonly headers: Headers
}

/** Follows the redirects of a sign-in as a browser does, with one jar for each site. */
export class ProviderBrowser {
  readonly parley: Parley
  readonly provider: string
  readonly cookies = new CookieJar()
  readonly #elsewhere = new CookieJar()

  constructor(parley: Parley, provider: string) {
    this.parley = parley
    this.provider = provider
  }

  get #base(): string {
    return `${this.parley.origin}/botadmin/api/auth/oidc/${this.provider}`
  }

  async begin(to = '/'): Promise<Begun> {
    const answer = await fetch(`${this.#base}/start?to=${encodeURIComponent(to)}`, { redirect: 'manual' })
    this.cookies.take(answer.headers)
    const location = answer.headers.get('location') ?? ''
    if (answer.status !== 302) throw new Error(`start: ${answer.status} ${await answer.text()}`)
    const { searchParams } = new URL(location)
    return { location, state: searchParams.get('state') ?? '', nonce: searchParams.get('nonce') ?? '' }
  }

  /** Goes through the pages of the provider; answers the address of the callback. */
  async visit(location: string): Promise<string> {
    for (let url = location; ; ) {
      if (url.startsWith(this.parley.origin)) return url
      const answer = await fetch(url, { redirect: 'manual', headers: { cookie: this.#elsewhere.header } })
      this.#elsewhere.take(answer.headers)
      const next = answer.headers.get('location')
      if (next === null) throw new Error(`${url}: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
      url = new URL(next, url).href
    }
  }

  async finish(query: Record<string, string> | string, accept = 'application/json'): Promise<Finished> {
    const search = typeof query === 'string' ? new URL(query).search.slice(1) : new URLSearchParams(query)
    const headers = { cookie: this.cookies.header, accept, 'accept-language': 'en' }
    const answer = await fetch(`${this.#base}/callback?${search}`, { redirect: 'manual', headers })
    this.cookies.take(answer.headers)
    const text = await answer.text()
    const code = answer.headers.get('content-type')?.includes('json') ? String(JSON.parse(text).code) : undefined
    const leads = /content="0;url=([^"]*)"/.exec(text)?.[1]?.replaceAll('&#38;', '&')
    return { status: answer.status, code, text, leads, headers: answer.headers }
  }

  async signIn(to = '/'): Promise<Finished> {
    return this.finish(await this.visit((await this.begin(to)).location))
  }

  /** Ends the session at the provider, whose page asks first. */
  async signOut(url: string): Promise<void> {
    const asked = await fetch(url, { headers: { cookie: this.#elsewhere.header } })
    this.#elsewhere.take(asked.headers)
    const page = await asked.text()
    const [, action = ''] = /action="([^"]+)"/.exec(page) ?? []
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? []
    const headers = { cookie: this.#elsewhere.header }
    const body = new URLSearchParams({ xsrf, logout: 'yes' })
    const { status } = await fetch(new URL(action, url), { method: 'POST', redirect: 'manual', headers, body })
    if (status !== 303) throw new Error(`sign-out: ${status} ${page.slice(0, 300)}`)
  }

  /** The API with the session of this browser. */
  get client(): Client {
    return clientOf(this.parley.origin, this.cookies.get('parley') ?? '')
  }
}
