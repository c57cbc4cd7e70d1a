import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLog } from '#gateway/log.ts'
import { readSettings } from '#gateway/settings.ts'
import { startGateway } from '#gateway/start-gateway.ts'
import { WIDE_LIMITS } from '#test/fixture/wide-limits.ts'
import { ADMIN_PASSWORD, type Answer, type Client, signInAt } from './harness.ts'

export interface SpecimenGateway {
  readonly folder: string
  readonly admin: Client
  signIn(username: string): Promise<Client>
  /** Creates a specimen with a unique name; returns its id. */
  create(fields?: object): Promise<string>
  rowOf(id: string): Promise<Answer['body']>
  /** Errors of a create that is refused. */
  errorsOf(fields: object): Promise<Answer['body']['errors']>
  close(): Promise<void>
}

export const openSpecimenGateway = async (): Promise<SpecimenGateway> => {
  const folder = mkdtempSync(join(tmpdir(), 'fields-'))
  const settings = { PORT: '0', PARLEY_DATA: folder, PARLEY_SAMPLE: 'off', PARLEY_ADMIN_PASSWORD: ADMIN_PASSWORD }
  const gateway = await startGateway(readSettings({ ...WIDE_LIMITS, ...settings }), openLog('error'))
  const { origin } = new URL(gateway.url)
  const signIn = (username: string) => signInAt(origin, username)
  const admin = await signIn('admin')
  let made = 0
  return {
    folder,
    admin,
    signIn,
    async create(fields = {}) {
      made += 1
      const answer = await admin.post('/specimen', { name: `s${made}`, ...fields })
      if (answer.status !== 201) throw new Error(answer.text)
      return answer.body.id
    },
    rowOf: async id => (await admin.get(`/specimen/${id}`)).body,
    async errorsOf(fields) {
      const answer = await admin.post('/specimen', { name: 'x', ...fields })
      if (answer.status !== 422) throw new Error(`${answer.status}: ${answer.text}`)
      return answer.body.errors
    },
    async close() {
      await gateway.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
