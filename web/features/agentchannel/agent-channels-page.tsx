import { useParams } from 'react-router'
import { EntityListPage } from '#web/entity/list/entity-list-page.tsx'
import { DeskOff } from './enable-desk.tsx'

/** /bot/agentchannel/{id}: the agent systems of a bot, and the button that turns Parley's own desk on. */
export const AgentChannelsPage = () => {
  const { id = '' } = useParams()
  return <EntityListPage above={<DeskOff bot={id} />} />
}
