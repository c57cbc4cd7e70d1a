import type { Row } from '#projections/port.ts'
import type { Door, NumberTable } from '../../channel/exchange/number-table.ts'
import type { ProviderEvent } from '../../channel/port.ts'
import type { RuntimeParts } from '../../parts.ts'
import { hearOfTemplate } from '../template/hear-of-template.ts'
import { hearOfAccount } from './hear-of-account.ts'

type News = Extract<ProviderEvent, { kind: 'account' }>

/** Changes of the business accounts that a door's events are about. */
export const openAccountNews = (parts: RuntimeParts, numbers: Pick<NumberTable, 'accountsOf'>) => ({
  /**
   * Takes a change of an account, its number or a template.
   * @throws when it could not be stored
   */
  async news(door: Door, { waba, name, data, time = 0 }: News): Promise<void> {
    if (waba === undefined) return
    for (const { id } of await numbers.accountsOf(door, waba)) {
      await hearOfAccount(parts, id, { field: name })
      await hearOfTemplate(parts, id, { waba, field: name, time, value: data })
    }
  },

  /** Records that events of an account's messages arrive; written once. */
  async seen(door: Door, waba: string): Promise<void> {
    const isUnseen = ({ webhook_received: received }: Row) => received !== true
    for (const { id } of (await numbers.accountsOf(door, waba)).filter(isUnseen))
      await hearOfAccount(parts, id, { field: 'messages' })
  },
})
