import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLog } from '#gateway/log.ts'
import { readSettings } from '#gateway/settings.ts'
import { startGateway } from '#gateway/start-gateway.ts'
import { ADMIN_PASSWORD, type Client, clientOf, type Parley, signInAt } from '#test/api/harness.ts'
import { WIDE_LIMITS } from '#test/fixture/wide-limits.ts'
import type { Maker } from './maker.ts'

export interface InProcess extends Pick<Parley, 'signIn' | 'anyone'> {
  readonly origin: string
  readonly admin: Client
  close(): Promise<void>
}

/** Shared by the suites that run over each declared entity. */
export interface EntityWorld {
  readonly parley: InProcess
  readonly admin: Client
  readonly maker: Maker
}

/** A gateway in the process of the test, so that it has the entities that the test has put into the registry. */
export const startInProcess = async (): Promise<InProcess> => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-entity-'))
  const env = { PORT: '0', PARLEY_DATA: folder, PARLEY_ADMIN_PASSWORD: ADMIN_PASSWORD, PARLEY_SAMPLE: 'off' }
  const gateway = await startGateway(readSettings({ ...WIDE_LIMITS, ...env, LOG_LEVEL: 'silent' }), openLog('silent'))
  const { origin } = new URL(gateway.url)
  const signIn: Parley['signIn'] = (username, password) => signInAt(origin, username, password)
  return {
    origin,
    signIn,
    anyone: clientOf(origin, ''),
    admin: await signIn(),
    async close() {
      await gateway.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
