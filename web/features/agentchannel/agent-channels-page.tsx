import type { RowOf } from '#schemas/row.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { EntityListPage } from '#web/entity/list/entity-list-page.tsx'
import { ConfiguredCell } from './agent-channel-state.tsx'

const CELLS = { configured: (row: Row) => <ConfiguredCell row={row as RowOf<'agentchannel'>} /> }

/** Agent channels of a bot, or of all bots, with what incomplete ones lack. */
export const AgentChannelsPage = () => <EntityListPage cells={CELLS} />
