import { useParams } from 'react-router'
import type { RowOf } from '#schemas/row.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { EntityListPage } from '#web/entity/list/entity-list-page.tsx'
import { ConfiguredCell } from './agent-channel-state.tsx'
import { DeskOff } from './enable-desk.tsx'

const CELLS = { configured: (row: Row) => <ConfiguredCell row={row as RowOf<'agentchannel'>} /> }

/** Agent channels of a bot, with the button that turns Parley's own desk on, or of all bots: with what incomplete ones lack. */
export const AgentChannelsPage = () => {
  const { id } = useParams()
  return <EntityListPage cells={CELLS} above={id === undefined ? null : <DeskOff bot={id} />} />
}
