import type { Client, Parley } from './harness.ts'

export const PASSWORD = 'Segredo-2026!'

interface Made {
  readonly id: string
  readonly client: Client
}

/** Makes someone at a level, with these permissions alone, and signs them in. */
export const person = async (
  parley: Pick<Parley, 'signIn' | 'anyone'>,
  admin: Client,
  given: { readonly username: string; readonly level: string; readonly actions: readonly string[] },
): Promise<Made & { readonly group: string; readonly role: string }> => {
  const { username, level: hierarchylevel, actions } = given
  const made = (entity: string, fields: object) => admin.create(entity, { hierarchylevel, ...fields })
  const role = await made('role', { name: `${username} role`, actions })
  const group = await made('usergroup', { name: `${username} group`, roles: [role] })
  const id = await made('user', { username, password: PASSWORD, usergroup: [group], firstname: username })
  const fresh = `${PASSWORD}x`
  await parley.anyone.post('/user/password', { username, old: PASSWORD, new: fresh, confirm: fresh })
  const client = await parley.signIn(username, fresh).catch(() => parley.signIn(username, PASSWORD))
  return { id, group, role, client }
}

/** A new level under another one, the root by default. */
export const level = async (admin: Client, name: string, parent?: string): Promise<string> => {
  const { status, text, body } = await admin.post('/hierarchy', { name, ...(parent === undefined ? {} : { parent }) })
  if (status !== 201) throw new Error(text)
  return body.id
}
