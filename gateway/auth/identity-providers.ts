import type { ProviderPolicy } from '#domain/people/identity-provider.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { createProviderClient, type ProviderClient, type Registration } from '#runtime/oidc/provider-client.ts'
import { createCall } from '#runtime/outbound/call.ts'
import { identityprovider } from '#schemas/entities/identityprovider.ts'
import type { JsonObject } from '#schemas/event.ts'
import { stringsOf, textOf } from '#schemas/json.ts'
import type { Parts } from '../port.ts'

/** Id of the provider of the settings. */
const SETTINGS_PROVIDER = 'settings'

export interface Provider {
  readonly id: string
  readonly name: string
  readonly registration: Registration
  readonly policy: ProviderPolicy
  readonly client: ProviderClient
}

/** The identity providers of this installation: that of the settings, and the enabled ones of the console. */
export interface Providers {
  list(): Promise<readonly { readonly id: string; readonly name: string }[]>
  /** Undefined for one that is not there or not enabled. */
  find(id: string): Promise<Provider | undefined>
  /** One of the console, enabled or not, for its test. */
  stored(id: string): Promise<Provider | undefined>
}

const INITIAL: JsonObject = Object.fromEntries(
  Object.entries(identityprovider.fields).map(([name, { initial }]) => [name, initial]),
)

/** Fields that were emptied count at their initial values. */
const filled = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(INITIAL).map(([name, initial]) => [name, fields[name] ?? initial]))

const directoryOf = ({ directoryclaim: claim, directory: account }: JsonObject): ProviderPolicy['directory'] =>
  (claim === 'sub' || claim === 'oid') && typeof account === 'string' ? { claim, account } : undefined

const policyOf = (fields: JsonObject): ProviderPolicy => ({
  groupsclaim: textOf(fields.groupsclaim),
  usernameclaim: textOf(fields.usernameclaim),
  acr: stringsOf(fields.acr),
  linkbyemail: fields.linkbyemail === true,
  domains: stringsOf(fields.domains),
  directory: directoryOf(fields),
  create: fields.create === true,
  followgroups: fields.followgroups as ProviderPolicy['followgroups'],
  followlevel: fields.followlevel as ProviderPolicy['followlevel'],
})

const registrationOf = (fields: JsonObject): Registration => ({
  issuer: textOf(fields.issuer),
  clientId: textOf(fields.client_id),
  clientSecret: textOf(fields.client_secret) || undefined,
  scopes: textOf(fields.scopes),
})

export const openProviders = ({ settings, read, commands, call, log }: Parts): Providers => {
  const warn = (line: string) => log.warn(line)
  const client = createProviderClient({ call, warn })

  const fromSettings = (): Provider | undefined => {
    const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client_id, OIDC_CLIENT_SECRET: client_secret = null } = settings
    if (issuer === undefined || client_id === undefined) return undefined
    const fields: JsonObject = { ...INITIAL, issuer, client_id, client_secret }
    return {
      id: SETTINGS_PROVIDER,
      name: new URL(issuer).hostname,
      registration: registrationOf(fields),
      policy: policyOf(fields),
      // The operator of the machine chose its address.
      client: createProviderClient({ call: createCall({ allowPrivate: true }), warn }),
    }
  }
  const own = fromSettings()

  const stored = async (id: string) => {
    const row = await read.detail(SYSTEM_SCOPE, 'identityprovider', id)
    const opened = row === undefined ? undefined : await commands.openFields('identityprovider', id)
    if (row === undefined || opened === undefined) return undefined
    const fields = filled(opened)
    const provider = { id, name: row.name, registration: registrationOf(fields), policy: policyOf(fields), client }
    return { provider, isEnabled: row.enable === true }
  }

  return {
    async list() {
      const rows = await allRows(read, SYSTEM_SCOPE, 'identityprovider', { enable: true })
      const listed = rows.map(({ id, name }) => ({ id, name })).toSorted((one, two) => one.name.localeCompare(two.name))
      return own === undefined ? listed : [{ id: own.id, name: own.name }, ...listed]
    },
    async find(id) {
      if (id === SETTINGS_PROVIDER) return own
      const found = await stored(id)
      return found?.isEnabled === true ? found.provider : undefined
    },
    stored: async id => (await stored(id))?.provider,
  }
}
