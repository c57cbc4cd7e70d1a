import { chakra, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { UserRound } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { webhook } from '#schemas/entities/webhook.ts'
import type { NamedRow } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Band } from '#web/components/error-state.tsx'
import { SecretDialog } from '#web/components/secret-dialog.tsx'
import { useConnectionTest } from '#web/entity/action/connection-test.tsx'
import { detailQuery } from '#web/entity/entity-query.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { EntityFormPage } from '#web/entity/form/entity-form-page.tsx'
import { durationOf } from '#web/format/time.ts'
import { Deliveries } from './deliveries.tsx'

type TestAnswer = AnswerOf<'POST /webhook/{id}/test'>

/** Shown once they have a value. */
const LATER = ['off_reason', 'secret_until'] as const

interface SecretProps {
  readonly secret: string
  /** Whether an old secret signs beside it. */
  readonly isRotated: boolean
  onClose(): void
}

const WebhookSecret = ({ secret, isRotated, onClose }: SecretProps) => {
  const { t } = useTranslation('entity/webhook')
  const texts = {
    label: t('field.secret.label'),
    done: t(isRotated ? 'secret.rotated' : 'secret.made'),
    once: t(isRotated ? 'secret.oncerotated' : 'secret.once'),
    sure: t('secret.sure'),
  }
  const variable = 'PARLEY_WEBHOOK_SECRET'
  return <SecretDialog title={t('secret.title')} value={secret} variable={variable} texts={texts} onClose={onClose} />
}

/** /webhook/new: the form, then the secret. */
export const NewWebhookPage = () => (
  <EntityFormPage
    afterCreate={({ secret = '' }, goOn) => <WebhookSecret secret={secret} isRotated={false} onClose={goOn} />}
  />
)

/** Outcome of the last test. */
const Receipt = ({ answer: { ok, status, reason, time } }: { readonly answer: TestAnswer }) => {
  const { t } = useTranslation('entity/webhook')
  const facts = [...(status === null ? [] : [`HTTP ${status}`]), ...(reason === null ? [] : [reason])]
  return (
    <Text
      role={ok ? 'status' : 'alert'}
      mb="4"
      px="4"
      py="2.5"
      borderRadius="lg"
      maxW="960px"
      textStyle="dense"
      colorPalette={ok ? 'positive' : 'danger'}
      bg="colorPalette.subtle"
      color="colorPalette.fg"
      overflowWrap="anywhere"
    >
      {[ok ? t('delivery.ok', { time: durationOf(time) }) : t('action.test.failed'), ...facts].join(' · ')}
    </Text>
  )
}

/** Says that personal values leave, why, and where each time is on record. */
const PersonalNote = ({ row }: { readonly row: NamedRow<'webhook'> }) => {
  const { t } = useTranslation('entity/webhook')
  const { can } = useSession()
  return (
    <Band role="status" tone="warning" icon={UserRound} mb="4" maxW="960px">
      {`${t('personal.text')} ${t('personal.reason', { reason: row.personal_reason ?? '' })}`}
      {can('readaudit') ? (
        <chakra.span textDecoration="underline" ms="2">
          <Link to={`/audit?entity=webhook&entityid=${row.id}&action=personalsent`}>{t('personal.audit')}</Link>
        </chakra.span>
      ) : null}
    </Band>
  )
}

/** A webhook: its form, a test, and below it what became of the events. */
export const WebhookPage = () => {
  const { id = '' } = useParams()
  const [secret, setSecret] = useState<string>()
  const { data: row } = useQuery(detailQuery('webhook', id))
  const hidden = useMemo(() => new Set(LATER.filter(name => row?.[name] === null)), [row])
  const { answer, button } = useConnectionTest('webhook', () => http.post('/webhook/{id}/test', { params: { id } }))
  return (
    <>
      <EntityDetail
        entity={webhook}
        id={id}
        listAt="/webhook/search"
        hidden={hidden}
        above={shown => (
          <>
            {shown.values === true && shown.personal === true ? <PersonalNote row={shown} /> : null}
            {answer === undefined ? null : <Receipt answer={answer} />}
          </>
        )}
        actions={() => button}
        below={() => <Deliveries key={id} id={id} />}
        onActed={(action, result) => {
          if (action === 'rotate' && typeof result.secret === 'string') setSecret(result.secret)
        }}
      />
      {secret === undefined ? null : <WebhookSecret secret={secret} isRotated onClose={() => setSecret(undefined)} />}
    </>
  )
}
