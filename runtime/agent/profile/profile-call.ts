import { type AgentProfile, PROFILE_SECRETS, type ProfileAuth, type ProfileCall } from '#domain/agent-profile.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, own, scalarText, textOf, trimmedText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { SystemAnswer, SystemRequest, SystemWire } from '../../outbound/system-wire.ts'

/** Evaluates JSONata in another process, within the limits of a rule; refuses with the code of the fault. */
export type EvaluateRule = (source: string, input: Json) => Promise<Result<Json>>

/** Inputs of rules, by name; a call adds `now`, `fields` and `values`. */
export type RuleInputs = Readonly<Record<string, Json>>

interface CallerParts {
  readonly profile: AgentProfile
  /** Of the channel, secrets in clear. */
  readonly fields: JsonObject
  readonly wire: SystemWire
  readonly evaluate: EvaluateRule
}

export interface ProfileCaller {
  /** The value of a rule; `agent.profile` names a rule that cannot be evaluated. */
  rule(name: string, source: string, input: RuleInputs): Promise<Result<Json>>
  /** The JSON of an answer with success, null for an empty one. A refusal names the call. */
  call(name: string, call: ProfileCall, inputs: RuleInputs): Promise<Result<Json>>
  /** Fetches a token, where the scheme has one. */
  signIn(): Promise<Result<string>>
  /** The bytes of an agent's file; the proof goes to the origin of `url` alone. */
  download(url: string): Promise<Result<Uint8Array>>
}

const MAX_CODE_LENGTH = 100
const TOKEN_SECONDS = 300

const refusedRule = (rule: string): Result<never> => refused('agent.profile', { params: { rule } })

/** The value at a dotted path; undefined for anything but a scalar. */
const scalarAt = (inputs: RuleInputs, path: string): string | undefined => {
  const found = path
    .split('.')
    .reduce<Json | undefined>((value, name) => (isObject(value) ? own(value, name) : undefined), inputs)
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean'
    ? String(found)
    : undefined
}

/** A text with its placeholders filled in; undefined where an input has no such value. */
const fill = (text: string, inputs: RuleInputs, encode: (value: string) => string | undefined): string | undefined => {
  let isWhole = true
  const whole = text.replaceAll(/\{([^{}]*)\}/gu, (_, name: string) => {
    const value = scalarAt(inputs, name)
    const encoded = value === undefined ? undefined : encode(value)
    isWhole &&= encoded !== undefined
    return encoded ?? ''
  })
  return isWhole ? whole : undefined
}

/** A part of a path. Empty ones and dots would change which path it is. */
const encodePart = (value: string): string | undefined =>
  /^\.{0,2}$/u.test(value) || !value.isWellFormed() ? undefined : encodeURIComponent(value)

const asIs = (value: string): string => value

/** An answer as rules read it. */
const readable = ({ body }: SystemAnswer): Json => body ?? null

type Headers = readonly (readonly [name: string, value: string])[]

/** Headers and query that prove the sender of a request. */
interface Proof {
  readonly headers: Headers
  readonly query: readonly (readonly [name: string, value: string])[]
}

/** The channel's fields that rules may read. */
const openFields = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !(PROFILE_SECRETS as readonly string[]).includes(name)))

class Caller implements ProfileCaller {
  readonly #profile: AgentProfile
  readonly #fields: JsonObject
  readonly #open: JsonObject
  readonly #wire: SystemWire
  readonly #evaluate: EvaluateRule
  /** Fetched tokens: never part of an error, like the channel's secrets. */
  readonly #tokens = new Map<string, string>()

  constructor({ profile, fields, wire, evaluate }: CallerParts) {
    this.#profile = profile
    this.#fields = fields
    this.#open = openFields(fields)
    this.#wire = wire
    this.#evaluate = evaluate
  }

  async rule(name: string, source: string, input: RuleInputs): Promise<Result<Json>> {
    const value = await this.#evaluate(source, this.#inputs(input))
    return value.ok ? value : refusedRule(name)
  }

  async call(name: string, call: ProfileCall, inputs: RuleInputs): Promise<Result<Json>> {
    const way = call.at === 'supervisor_url' ? 'supervisor' : 'auth'
    const auth = (way === 'supervisor' ? this.#profile.supervisor : undefined) ?? this.#profile.auth
    const answer = await this.#authorized(name, call, inputs, auth, way)
    return answer.ok ? this.#judge(name, call, answer.value) : answer
  }

  async signIn(): Promise<Result<string>> {
    const { auth } = this.#profile
    return auth.scheme === 'oauth2' || auth.scheme === 'login' ? this.#token(auth, 'auth') : accepted('')
  }

  async download(url: string): Promise<Result<Uint8Array>> {
    const base = this.#addressOf('url')
    const isOurs = URL.canParse(url) && base !== undefined && new URL(url).origin === base.origin
    if (!isOurs) return this.#wire.download({ method: 'GET', url })
    const proof = await this.#proof('auth', this.#profile.auth)
    if (!proof.ok) return proof
    const address = new URL(url)
    for (const [name, value] of proof.value.query) address.searchParams.set(name, value)
    return this.#wire.download({ method: 'GET', url: address.href, headers: proof.value.headers, maxRedirects: 0 })
  }

  #inputs(inputs: RuleInputs): JsonObject {
    return { ...inputs, now: Date.now(), fields: this.#open, values: this.#profile.values }
  }

  /** The address that calls at a place go to. */
  #addressOf(at: ProfileCall['at']): URL | undefined {
    const { auth } = this.#profile
    const isOwn = at === 'auth.url' && auth.scheme === 'oauth2' && /^https?:/iu.test(auth.url)
    const text = isOwn ? auth.url.replace(/\{.*/su, '') : trimmedText(this.#fields[at === 'auth.url' ? 'url' : at])
    const url = URL.parse(text)
    return url !== null && /^https?:$/u.test(url.protocol) ? url : undefined
  }

  /** The request of a call without its proof. */
  async #request(
    name: string,
    { at, path, method, headers, query, body: rule, type, timeout }: ProfileCall,
    inputs: RuleInputs,
    isProof = false,
  ): Promise<Result<SystemRequest>> {
    const known = this.#inputs(inputs)
    const withSecrets = isProof ? this.#withSecrets : asIs
    const base = this.#addressOf(at)
    if (base === undefined) return refusedRule(`${name}.at`)
    const filledPath = fill(path, known, encodePart)
    if (filledPath === undefined) return refusedRule(`${name}.path`)
    const url = filledPath === '' ? base : URL.parse(base.origin + filledPath)
    if (url === null || url.origin !== base.origin) return refusedRule(`${name}.path`)
    for (const [key, text] of Object.entries(query)) {
      // A parameter whose input is not known yet, such as a cursor, is left out.
      const value = fill(text, known, asIs)
      if (value !== undefined) url.searchParams.set(key, withSecrets(value))
    }
    const sent = this.#headers(headers, name, known, isProof)
    if (!sent.ok) return sent
    const made = rule === undefined ? undefined : await this.rule(`${name}.body`, rule, inputs)
    if (made?.ok === false) return made
    const content = made === undefined ? undefined : bodyOf(type, mapTexts(made.value, withSecrets))
    if (made !== undefined && content === undefined) return refusedRule(`${name}.body`)
    return accepted({
      method,
      url: url.href,
      headers: sent.value,
      maxRedirects: 0,
      most: this.#profile.limits.answer,
      ...(content === undefined ? {} : { body: content }),
      ...(timeout === undefined ? {} : { timeout }),
    })
  }

  /** Sends a call with its proof; a token that is refused is renewed once. */
  async #authorized(
    name: string,
    call: ProfileCall,
    inputs: RuleInputs,
    auth: ProfileAuth,
    way: 'auth' | 'supervisor',
  ): Promise<Result<SystemAnswer>> {
    const request = await this.#request(name, call, inputs)
    if (!request.ok) return request
    const { token: ended } = this.#profile.errors
    let stale: string | undefined
    for (;;) {
      const proof = await this.#proof(way, auth, stale)
      if (!proof.ok) return proof
      const url = new URL(request.value.url)
      for (const [key, value] of proof.value.query) url.searchParams.set(key, value)
      const headers = [...proof.value.headers, ...(request.value.headers ?? [])]
      const answer = await this.#wire.call({ ...request.value, url: url.href, headers })
      if (!answer.ok) return answer.refusal.code === 'outbound.redirects' ? refusedRule(`${name}.redirect`) : answer
      const isEnded = ended.includes(answer.value.status) && proof.value.token !== undefined
      if (!isEnded || stale !== undefined) return answer
      stale = proof.value.token
    }
  }

  async #judge(name: string, { ok }: ProfileCall, answer: SystemAnswer): Promise<Result<Json>> {
    const { status } = answer
    const { retry, gone, nobody } = this.#profile.errors
    const input = { status, answer: readable(answer) }
    if (nobody !== undefined) {
      const isNobody = await this.rule('errors.nobody', nobody, input)
      if (!isNobody.ok) return isNobody
      if (isNobody.value === true) return refused('agent.nobody')
    }
    const isFine = ok === undefined ? status >= 200 && status < 300 : ok.includes(status)
    if (isFine) {
      if (answer.isTruncated === true) return refusedRule(`${name}.size`)
      if (answer.size === 0) return accepted(null)
      return answer.body === undefined ? refused('agent.answer') : accepted(answer.body)
    }
    if (retry.includes(status))
      return refused('agent.toomany', {
        params: {
          ...(await this.#told(answer)),
          ...(answer.retryAfter === undefined ? {} : { retryAfter: answer.retryAfter }),
        },
      })
    if (gone.includes(status) && /^(?:say|file|typing|close|events|queue)\b/u.test(name)) return refused('agent.gone')
    const refusal = this.#wire.refusal(answer)
    if (refusal.ok || refusal.refusal.params === undefined) return refusal
    return refused(refusal.refusal.code, { params: await this.#told(answer) })
  }

  /** The status of an error and the system's code of it, without a secret. */
  async #told(answer: SystemAnswer): Promise<{ readonly status: number; readonly error: string }> {
    const { status } = answer
    const { code } = this.#profile.errors
    const usual = this.#wire.refusal(answer)
    const given =
      code === undefined ? undefined : await this.rule('errors.code', code, { status, answer: readable(answer) })
    const error = given?.ok === true ? scalarText(given.value) : usual.ok ? '' : textOf(usual.refusal.params?.error)
    const isSecret = this.#secrets().some(secret => secret !== '' && error.includes(secret))
    return { status, error: isSecret || error === '' ? '—' : error.slice(0, MAX_CODE_LENGTH) }
  }

  #secrets(): readonly string[] {
    return [...PROFILE_SECRETS.map(name => trimmedText(this.#fields[name])), ...this.#tokens.values()]
  }

  readonly #withSecrets = (text: string): string =>
    text.replaceAll(/\$secret:(\w+)/gu, (_, name: string) => trimmedText(own(this.#fields, name)))

  #headers(
    headers: Readonly<Record<string, string>>,
    name: string,
    known: JsonObject,
    isSecret: boolean,
  ): Result<Headers> {
    const sent: (readonly [string, string])[] = []
    for (const [key, text] of Object.entries(headers)) {
      const value = fill(text, known, asIs)
      if (value === undefined) return refusedRule(`${name}.headers`)
      sent.push([key.toLowerCase(), isSecret ? this.#withSecrets(value) : value])
    }
    return accepted(sent)
  }

  async #proof(
    way: 'auth' | 'supervisor',
    auth: ProfileAuth,
    stale?: string,
  ): Promise<Result<Proof & { readonly token?: string }>> {
    const further = this.#headers(auth.headers, way, this.#inputs({}), true)
    if (!further.ok) return further
    const proof = (headers: Headers = [], query: Proof['query'] = []) => ({
      headers: [...further.value, ...headers],
      query,
    })
    if (auth.scheme === 'none') return accepted(proof())
    if (auth.scheme === 'oauth2' || auth.scheme === 'login') {
      const token = await this.#token(auth, way, stale)
      if (!token.ok) return token
      if (auth.scheme === 'oauth2')
        return accepted({ ...proof([['authorization', `Bearer ${token.value}`]]), token: token.value })
      const value = auth.prefix + token.value
      const placed =
        auth.place === 'query'
          ? proof([], [[auth.name, value]])
          : proof([auth.place === 'cookie' ? ['cookie', `${auth.name}=${value}`] : [auth.name.toLowerCase(), value]])
      return accepted({ ...placed, token: token.value })
    }
    const secret = trimmedText(this.#fields[auth.secret])
    if (auth.scheme === 'query') return accepted(proof([], [[auth.name, secret]]))
    if (auth.scheme === 'header') return accepted(proof([[auth.name.toLowerCase(), secret]]))
    const basic = Buffer.from(`${this.#user()}:${secret}`).toString('base64')
    return accepted(proof([['authorization', auth.scheme === 'basic' ? `Basic ${basic}` : `Bearer ${secret}`]]))
  }

  #user(): string {
    return trimmedText(this.#fields.user) || trimmedText(this.#fields.channel_id)
  }

  async #token(
    auth: Extract<ProfileAuth, { scheme: 'oauth2' | 'login' }>,
    way: 'auth' | 'supervisor',
    stale?: string,
  ): Promise<Result<string>> {
    const fetch = () => (auth.scheme === 'oauth2' ? this.#grant(auth, way) : this.#login(auth, way))
    const token = await this.#wire.remember(way, fetch, stale)
    if (token.ok) this.#tokens.set(way, token.value)
    return token
  }

  async #grant({ url, grant, scope, secret, headers }: Extract<ProfileAuth, { scheme: 'oauth2' }>, way: string) {
    const known = this.#inputs({})
    const address = fill(url, known, encodePart)
    const base = this.#addressOf('auth.url')
    if (address === undefined || base === undefined) return refusedRule(`${way}.url`)
    const sent = this.#headers(headers, way, known, true)
    if (!sent.ok) return sent
    const password = trimmedText(this.#fields[secret])
    const body = new URLSearchParams({
      grant_type: grant,
      client_id: trimmedText(this.#fields.channel_id),
      ...(grant === 'password' ? { username: this.#user(), password } : { client_secret: password }),
      ...(scope === undefined ? {} : { scope }),
    })
    const answer = await this.#wire.ask({
      method: 'POST',
      url: new URL(address, base).href,
      headers: sent.value,
      body,
      maxRedirects: 0,
    })
    if (!answer.ok) return answer
    const { access_token: token, expires_in: seconds } = isObject(answer.value) ? answer.value : {}
    if (typeof token !== 'string' || token === '') return refusedRule(`${way}.token`)
    return accepted({ value: token, seconds: typeof seconds === 'number' ? seconds : TOKEN_SECONDS })
  }

  async #login({ call, token: rule, seconds, headers }: Extract<ProfileAuth, { scheme: 'login' }>, way: string) {
    const whole = { ...call, headers: { ...headers, ...call.headers } }
    const request = await this.#request(`${way}.call`, whole, {}, true)
    if (!request.ok) return request
    const answer = await this.#wire.ask(request.value)
    if (!answer.ok) return answer
    const token = await this.rule(`${way}.token`, rule, { answer: answer.value })
    if (!token.ok) return token
    const value = scalarText(token.value)
    return value === '' ? refusedRule(`${way}.token`) : accepted({ value, seconds })
  }
}

/** The body of a request; undefined for a value that the type cannot carry. */
const bodyOf = (type: ProfileCall['type'], value: Json): Json | URLSearchParams | undefined => {
  if (type === 'json') return typeof value === 'object' && value !== null ? value : undefined
  if (!isObject(value)) return undefined
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return new URLSearchParams(members.map(([name, member]) => [name, scalarText(member)]))
}

/** A value with each of its texts changed. */
const mapTexts = (value: Json, change: (text: string) => string): Json => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, change))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change)]))
}

/** Calls, rules and proofs of a declared system: one origin per address, no redirects, secrets in proofs alone. */
export const openProfileCaller = (parts: CallerParts): ProfileCaller => new Caller(parts)
