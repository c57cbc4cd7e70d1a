import type { JsonObject } from '#schemas/event.ts'
import type { Client, Parley } from './harness.ts'

interface ScimAnswer {
  readonly status: number
  readonly headers: Headers
  /** {} where there is none. */
  readonly body: JsonObject & {
    readonly id?: string
    readonly totalResults?: number
    readonly Resources?: readonly (JsonObject & { readonly id: string })[]
    readonly scimType?: string
  }
}

/** Sends one request of SCIM. A text is sent as it is. */
export type ScimClient = (method: string, path: string, body?: JsonObject | string) => Promise<ScimAnswer>

export const scimClient =
  (origin: string, token: string): ScimClient =>
  async (method, path, body) => {
    const answer = await fetch(`${origin}/botadmin/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text === '' ? {} : JSON.parse(text) }
  }

/** A service account of a level with `scim`, and a token of it. */
export const scimAccount = async (
  parley: Pick<Parley, 'origin'>,
  admin: Client,
  given: {
    readonly name: string
    readonly level: string
    readonly actions?: readonly string[]
    readonly token?: object
  },
): Promise<{ readonly account: string; readonly role: string; readonly token: string; readonly scim: ScimClient }> => {
  const { name, level: hierarchylevel, actions = ['scim'] } = given
  const owner = String(((await admin.get('/auth/user')).body.user as JsonObject).id)
  const role = await admin.create('role', { hierarchylevel, name, actions })
  const group = await admin.create('usergroup', { hierarchylevel, name: `${name} accounts`, roles: [role] })
  const account = await admin.create('serviceaccount', { hierarchylevel, name, owner, usergroup: [group] })
  const expires = new Date(Date.now() + 86_400_000).toISOString()
  const made = await admin.post('/apitoken', { name, serviceaccount: account, expires, ...given.token })
  if (made.status !== 201) throw new Error(made.text)
  const token = String(made.body.token)
  return { account, role, token, scim: scimClient(parley.origin, token) }
}

/** A body of PATCH. */
export const patchOf = (...operations: readonly JsonObject[]): JsonObject => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [...operations],
})
