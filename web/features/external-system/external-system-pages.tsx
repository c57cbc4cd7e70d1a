import { CircleAlert, CircleCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { mlchannel } from '#schemas/entities/mlchannel.ts'
import { nlusettings } from '#schemas/entities/nlusettings.ts'
import { oauth } from '#schemas/entities/oauth.ts'
import { singleId } from '#schemas/entity.ts'
import { http } from '#web/api/http.ts'
import { StatusCard } from '#web/components/card.tsx'
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

const NLU_SETTINGS_ID = singleId(nlusettings.name, null)

/** The NLU settings: their form, and a button that asks the remote service with what is saved. */
export const NluSettingsPage = () => {
  const { answer, button } = useConnectionTest('nlusettings', () =>
    http.post('/nlusettings/{id}/test', { params: { id: NLU_SETTINGS_ID } }),
  )
  return (
    <EntityDetail
      entity={nlusettings}
      id={NLU_SETTINGS_ID}
      listAt="/nlu/search"
      above={() => (answer === undefined ? null : <ConnectionTestResult entity="nlusettings" answer={answer} />)}
      actions={({ parseurl }) => (parseurl === null ? null : button)}
    />
  )
}

type TestAnswer = AnswerOf<'POST /oauth/{id}/test'>

/** Result of a test: lifetime of the token, or the error. */
const Receipt = ({ answer }: { readonly answer: TestAnswer }) => {
  const { t } = useTranslation('entity/oauth')
  const { ok, expires_in: lasts = null, token_type: type = null, scope = null, failure, time } = answer
  const told = ok
    ? [
        lasts === null ? t('action.test.forever') : t('action.test.lasts', { count: lasts }),
        ...(type === null ? [] : [t('action.test.type', { value: type })]),
        ...(scope === null ? [] : [t('action.test.scope', { value: scope })]),
      ]
    : [failure?.detail ?? '']
  return (
    <StatusCard
      role={ok ? 'status' : 'alert'}
      tone={ok ? 'positive' : 'danger'}
      icon={ok ? CircleCheck : CircleAlert}
      title={t(ok ? 'action.test.ok' : 'action.test.failed')}
      lines={[[...told, `${time} ms`].join(' · ')]}
    />
  )
}

/** An OAuth configuration: its form, and a button that asks for a token with what is saved. */
export const OAuthPage = () => {
  const { id = '' } = useParams()
  const { answer, button } = useConnectionTest('oauth', () => http.post('/oauth/{id}/test', { params: { id } }))
  return (
    <EntityDetail
      entity={oauth}
      id={id}
      listAt="/oauth/search"
      hidden={NONE}
      above={() => (answer === undefined ? null : <Receipt answer={answer} />)}
      actions={() => button}
    />
  )
}
