import { useParams } from 'react-router'
import { mlchannel } from '#schemas/entities/mlchannel.ts'
import { http } from '#web/api/http.ts'
import { ConnectionTestResult, LogLink, useConnectionTest } from '#web/entity/action/connection-test.tsx'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'

const NONE: ReadonlySet<string> = new Set()

/** An ML channel: its form, and a button that calls the system with what is saved. */
export const MlChannelPage = () => {
  const { id = '' } = useParams()
  const { answer, button } = useConnectionTest('mlchannel', () => http.post('/mlchannel/{id}/test', { params: { id } }))
  return (
    <EntityDetail
      entity={mlchannel}
      id={id}
      listAt="/mlchannel/search"
      hidden={NONE}
      above={() => (answer === undefined ? null : <ConnectionTestResult entity="mlchannel" answer={answer} />)}
      actions={row => (
        <>
          <LogLink row={row} />
          {button}
        </>
      )}
    />
  )
}
