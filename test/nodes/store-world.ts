import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { vi } from 'vitest'
import { type Client, type ParleyProcess, startParley } from '#test/api/harness.ts'
import { RemoteDouble } from '#test/doubles/eventstoredb/remote-double.ts'
import { startNatsServer } from '#test/doubles/nats-server.ts'
import { ZENVIA } from '#test/doubles/whatsapp/json-wires.ts'
import { startProvider } from '#test/doubles/whatsapp/provider-server.ts'
import { makeBuyingBot, startShop, VERIFY_TOKEN } from '#test/fault/buying-bot.ts'

const KEY = Buffer.alloc(32, 42).toString('base64')
const SHOP_MS = 30

/** A gateway that can be killed and started again on its folder. */
export class MortalGateway {
  readonly #env: Record<string, string>
  readonly #folder: string
  #parley: ParleyProcess | undefined
  #errors = ''

  constructor(env: Record<string, string>) {
    this.#env = env
    this.#folder = mkdtempSync(join(tmpdir(), 'parley-mortal-'))
  }

  get parley(): ParleyProcess {
    if (this.#parley === undefined) throw new Error('the gateway was never started')
    return this.#parley
  }

  get origin(): string {
    return this.parley.origin
  }

  /** Lines that it logged. */
  get errors(): readonly string[] {
    return this.#errors.split('\n')
  }

  async start(): Promise<void> {
    const launched = (child: ChildProcess) => {
      child.stderr?.on('data', chunk => {
        this.#errors += chunk
      })
    }
    this.#parley = await startParley({ folder: this.#folder, env: this.#env, launched })
  }

  async restart(): Promise<void> {
    await this.end('SIGKILL')
    await this.start()
  }

  /** Its exit code. */
  end(signal: NodeJS.Signals): Promise<number | null> {
    return this.parley.end(signal)
  }

  /** Undefined when it is ready. */
  async unreadyReason(): Promise<string | undefined> {
    try {
      const signal = AbortSignal.timeout(2000)
      const answer = await fetch(`${this.origin}/botadmin/api/health/ready`, { signal })
      return answer.ok ? undefined : await answer.text()
    } catch (error) {
      return String(error)
    }
  }

  async discard(): Promise<void> {
    await this.#parley?.close()
  }
}

export interface StoreWorld {
  readonly store: RemoteDouble
  readonly gateways: readonly MortalGateway[]
  readonly shop: Awaited<ReturnType<typeof startShop>>
  readonly provider: Awaited<ReturnType<typeof startProvider>>
  /** Ids of channels. The web chat serves Direct Line too. */
  readonly channels: { readonly webchat: string; readonly rest: string; readonly webhook: string }
  close(): Promise<void>
}

/**
 * Three gateways on an EventStoreDB double in a separate process, with a bot that buys at a shop. `settings`: for all
 * gateways.
 */
export const startStoreWorld = async (settings: Readonly<Record<string, string>> = {}): Promise<StoreWorld> => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-store-'))
  const [store, nats, shop, provider] = await Promise.all([
    RemoteDouble.start(folder),
    startNatsServer(),
    startShop(SHOP_MS),
    startProvider(ZENVIA),
  ])
  const env = {
    EVENTSTORE_URL: store.url,
    NATS_URL: nats.url,
    PARLEY_KEY: KEY,
    STORAGE_URL: pathToFileURL(join(folder, 'files')).href,
    DRAIN_SECONDS: '0',
    ALLOW_PRIVATE_ADDRESSES: 'true',
    ...settings,
  }
  const gateways = Array.from({ length: 3 }, () => new MortalGateway(env))
  const [first, ...others] = gateways as [MortalGateway, ...MortalGateway[]]
  await first.start()
  await Promise.all(others.map(gateway => gateway.start()))
  const admin = await first.parley.signIn()
  const webchat = await makeBuyingBot(admin, shop.url)
  const { bot } = (await admin.get(`/channel/${webchat}`)).body
  const channel = async (fields: object): Promise<string> => {
    const { status, text, body } = await admin.post('/channel', { bot, ...fields })
    if (status !== 201) throw new Error(text)
    return body.id
  }
  const rest = await channel({ type: 'rest', name: 'REST', channel_verify_token: VERIFY_TOKEN })
  const webhook = await channel({ type: ZENVIA.type, name: 'WhatsApp', url: provider.url, ...ZENVIA.fields })
  for (const { parley } of others) {
    const there: Client = await parley.signIn()
    await vi.waitFor(
      async () => {
        if ((await there.get(`/channel/${webhook}`)).status !== 200) throw new Error('the channel is not shown yet')
      },
      { timeout: 10_000, interval: 50 },
    )
  }
  return {
    store,
    gateways,
    shop,
    provider,
    channels: { webchat, rest, webhook },
    async close() {
      await Promise.all(gateways.map(gateway => gateway.discard()))
      await Promise.all([store.kill(), nats.stop()])
      shop.close()
      provider.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
