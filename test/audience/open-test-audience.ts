import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openKeys } from '#commands/keys/open-keys.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { NewContact } from '#runtime/campaign/audience/audience.ts'
import { openAudience } from '#runtime/campaign/audience/open-audience.ts'

/** Audiences over a folder as a gateway has them. */
export const openTestAudience = async (folder: string) => {
  const place = join(folder, 'conversations')
  mkdirSync(place, { recursive: true })
  const keys = openKeys({ folder })
  const store = await openEmbeddedStore({ folder: place })
  const failures: unknown[] = []
  const file = join(place, 'audience.sqlite')
  const audience = await openAudience({ store, keys, file, failed: error => failures.push(error) })
  return {
    audience,
    store,
    keys,
    failures,
    async close() {
      await audience.close()
      await store.close()
      keys.close()
    },
  }
}

export type TestAudience = Awaited<ReturnType<typeof openTestAudience>>

/** The nth of many people with numbers of their own. */
export const personOf = (n: number, nome = `Pessoa ${n}`): NewContact => ({
  phone: `+55119${String(10_000_000 + n)}`,
  nome,
  fields: { field01: `valor ${n}` },
  country: 'BR',
  aliases: [`5511${String(10_000_000 + n)}`],
})
