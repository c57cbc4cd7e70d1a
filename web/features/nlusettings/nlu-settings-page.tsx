import { nlusettings } from '#schemas/entities/nlusettings.ts'
import { singleId } from '#schemas/entity.ts'
import { http } from '#web/api/http.ts'
import { ConnectionTestResult, useConnectionTest } from '#web/entity/action/connection-test.tsx'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'

const ID = singleId(nlusettings.name, null)

/** The NLU settings: their form, and a button that asks the remote service with what is saved. */
export const NluSettingsPage = () => {
  const { answer, button } = useConnectionTest('nlusettings', () =>
    http.post('/nlusettings/{id}/test', { params: { id: ID } }),
  )
  return (
    <EntityDetail
      entity={nlusettings}
      id={ID}
      listAt="/nlu/search"
      above={() => (answer === undefined ? null : <ConnectionTestResult entity="nlusettings" answer={answer} />)}
      actions={({ parseurl }) => (parseurl === null ? null : button)}
    />
  )
}
