import { useParams } from 'react-router'
import { agentchannel } from '#schemas/entities/agentchannel.ts'
import { http } from '#web/api/http.ts'
import { ConnectionTestResult } from '#web/entity/action/connection-test-result.tsx'
import { LogLink } from '#web/entity/action/log-link.tsx'
import { useConnectionTest } from '#web/entity/action/use-connection-test.tsx'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { AgentChannelState } from './agent-channel-state.tsx'

const NONE: ReadonlySet<string> = new Set()

/** An agent channel: its form, and a button that calls the system with what is saved. */
export const AgentChannelPage = () => {
  const { id = '' } = useParams()
  const { answer, button } = useConnectionTest('agentchannel', () =>
    http.post('/agentchannel/{id}/test', { params: { id } }),
  )
  return (
    <EntityDetail
      entity={agentchannel}
      id={id}
      listAt="/agentchannel/search"
      hidden={NONE}
      above={row => (
        <>
          <AgentChannelState row={row} />
          {answer === undefined ? null : <ConnectionTestResult entity="agentchannel" answer={answer} />}
        </>
      )}
      actions={row => (
        <>
          <LogLink row={row} />
          {button}
        </>
      )}
    />
  )
}
