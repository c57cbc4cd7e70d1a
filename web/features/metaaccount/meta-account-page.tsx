import { Button, Field, Input, Stack, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { BadgeCheck, CircleAlert, KeyRound, LayoutTemplate, MessageSquareText, Rss, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useParams } from 'react-router'
import { numberHealth, standingOf } from '#domain/channel-health.ts'
import { metaaccount } from '#schemas/entities/metaaccount.ts'
import type { RowOf } from '#schemas/row.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import type { MenuAction } from '#web/components/action-menu.tsx'
import { StatusCard } from '#web/components/card.tsx'
import { ErrorLine } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { submits } from '#web/components/submits.ts'
import { ConnectionTestResult, useConnectionTest } from '#web/entity/action/connection-test.tsx'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { useEntityTexts } from '#web/entity/label.ts'
import { MissingChannel } from '#web/features/campaign/index.ts'
import { useCause } from '#web/features/channel/index.ts'
import { LabelledSelect } from '#web/form/labelled-select.tsx'
import { useProblemText } from '#web/form/use-problem-text.ts'
import { notice } from '#web/notice/notice.ts'
import { useAttempt } from '#web/notice/use-attempt.ts'
import { Redirect } from '#web/page/redirect.tsx'

/** Ban or limit of the number, over the form. */
const NumberState = ({ account }: { readonly account: RowOf<'metaaccount'> }) => {
  useEntityTexts(['channel'])
  const cause = useCause()
  const found = numberHealth(standingOf(account), Date.now())
  if (found === undefined) return null
  const isError = found.state === 'error'
  return (
    <StatusCard
      isWide
      role="status"
      tone={isError ? 'danger' : 'warning'}
      icon={isError ? CircleAlert : TriangleAlert}
      title={cause({ ...found, title: '' }, { type: 'whatsapp_meta' })}
      lines={[]}
    />
  )
}

type Step = 'requestcode' | 'verifycode' | 'registernumber'

interface Values {
  readonly method: 'SMS' | 'VOICE'
  readonly language: 'pt_BR' | 'en_US' | 'es'
  readonly digits: string
}

const ask = (id: string, step: Step, { method, language, digits }: Values) => {
  const params = { id }
  if (step === 'requestcode')
    return http.post('/metaaccount/{id}/requestcode', { params, body: { code_method: method, language } })
  return step === 'verifycode'
    ? http.post('/metaaccount/{id}/verifycode', { params, body: { code: digits } })
    : http.post('/metaaccount/{id}/registernumber', { params, body: { pin: digits } })
}

const SIX = /^\d{3}-?\d{3}$/u

const StepFields = ({
  step,
  values,
  onChange,
}: {
  readonly step: Step
  readonly values: Values
  onChange(values: Values): void
}) => {
  const { t } = useTranslation('entity/metaaccount')
  if (step === 'requestcode')
    return (
      <>
        <LabelledSelect
          label={t('action.requestcode.method')}
          value={values.method}
          options={[
            ['SMS', t('action.requestcode.sms')],
            ['VOICE', t('action.requestcode.voice')],
          ]}
          onChange={method => onChange({ ...values, method: method === 'VOICE' ? 'VOICE' : 'SMS' })}
        />
        <LabelledSelect
          label={t('action.requestcode.language')}
          value={values.language}
          options={[
            ['pt_BR', 'Português'],
            ['en_US', 'English'],
            ['es', 'Español'],
          ]}
          onChange={language => onChange({ ...values, language: language as Values['language'] })}
        />
      </>
    )
  return (
    <Field.Root>
      <Field.Label>{t(step === 'verifycode' ? 'action.verifycode.code' : 'action.registernumber.pin')}</Field.Label>
      <Input
        data-autofocus=""
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        value={values.digits}
        onChange={event => onChange({ ...values, digits: event.target.value })}
      />
    </Field.Root>
  )
}

const textOf = (step: Step, t: (key: string) => string): ReactNode =>
  step === 'verifycode' ? null : (
    <Text textStyle="dense" color="fg.muted">
      {t(`action.${step}.text`)}
    </Text>
  )

/** Asks for what a step needs, and Meta for the step. */
const StepDialog = ({ id, step, onClose }: { readonly id: string; readonly step: Step; onClose(): void }) => {
  const { t } = useTranslation('entity/metaaccount')
  const { t: shell } = useTranslation('shell')
  const client = useQueryClient()
  const [values, setValues] = useState<Values>({ method: 'SMS', language: 'pt_BR', digits: '' })
  const { isBusy: busy, failure: error, attempt } = useAttempt(shell('error.noanswer'))
  const ready = step === 'requestcode' || SIX.test(values.digits)
  const submit = async () => {
    if (!ready) return
    await attempt(async () => {
      await ask(id, step, values)
      await client.invalidateQueries({ queryKey: ['metaaccount'] })
      notice.snack(t(`action.${step}.done`), { tone: 'positive' })
      onClose()
    })
  }
  return (
    <Modal
      title={t(`action.${step}.do`)}
      onClose={onClose}
      actions={
        <Button variant="solid" loading={busy} disabled={!ready} onClick={() => void submit()}>
          {t(`action.${step}.do`)}
        </Button>
      }
    >
      <form onSubmit={submits(submit)}>
        <Stack gap="4" pt="2">
          {textOf(step, t)}
          <StepFields step={step} values={values} onChange={setValues} />
          <ErrorLine text={error} />
        </Stack>
      </form>
    </Modal>
  )
}

const ICONS = { requestcode: MessageSquareText, verifycode: BadgeCheck, registernumber: KeyRound } as const
const STEPS = ['requestcode', 'verifycode', 'registernumber'] as const

interface SetUp {
  readonly entries: readonly MenuAction[]
  readonly dialog: ReactNode
  /** Subscribes the app to the account; undefined for users who may not. */
  readonly subscribe: { readonly label: string; do(): Promise<void> } | undefined
}

/** The steps that set an account and its number up at Meta: menu entries for those who may, and the dialog of the open one. */
const useSetUp = (id: string): SetUp => {
  const { t } = useTranslation('entity/metaaccount')
  const { t: shell } = useTranslation('shell')
  const { can } = useSession()
  const client = useQueryClient()
  const problem = useProblemText()
  const [step, setStep] = useState<Step>()
  const subscribe = async () => {
    try {
      await http.post('/metaaccount/{id}/subscribe', { params: { id }, body: {} })
      await client.invalidateQueries({ queryKey: ['metaaccount'] })
      notice.snack(t('action.subscribe.done'), { tone: 'positive' })
    } catch (failure) {
      notice.toast(failureOf(failure, shell('error.noanswer')), { tone: 'danger' })
    }
  }
  const read = async () => {
    try {
      const { added, changed, skipped } = await http.post('/metaaccount/{id}/synctemplates', {
        params: { id },
        body: {},
      })
      await client.invalidateQueries({ queryKey: ['template'] })
      const done = t('action.synctemplates.done', { added, changed })
      const left = skipped.length === 0 ? '' : ` ${t('action.synctemplates.skipped', { names: skipped.join(', ') })}`
      notice.toast(done + left, { tone: skipped.length === 0 ? 'positive' : 'warning' })
    } catch (failure) {
      notice.toast(failureOf(failure, problem('template.load')), { tone: 'danger' })
    }
  }
  const entries: MenuAction[] = [
    { id: 'synctemplates', label: t('action.synctemplates.do'), icon: LayoutTemplate, run: () => void read() },
    { id: 'subscribe', label: t('action.subscribe.do'), icon: Rss, run: () => void subscribe() },
    ...STEPS.map(name => ({ id: name, label: t(`action.${name}.do`), icon: ICONS[name], run: () => setStep(name) })),
  ]
  return {
    entries: entries.filter(entry => can(`${entry.id}metaaccount`)),
    subscribe: can('subscribemetaaccount') ? { label: t('action.subscribe.do'), do: subscribe } : undefined,
    dialog: step === undefined ? null : <StepDialog id={id} step={step} onClose={() => setStep(undefined)} />,
  }
}

const NONE: ReadonlySet<string> = new Set()

/** An account at Meta: its form, the connection test, and the steps that set its number up. */
export const MetaAccountPage = () => {
  const { id = '' } = useParams()
  const client = useQueryClient()
  const { entries, dialog, subscribe } = useSetUp(id)
  const { answer, button, test } = useConnectionTest('metaaccount', async () => {
    const found = await http.post('/metaaccount/{id}/test', { params: { id } })
    await client.invalidateQueries({ queryKey: ['metaaccount'] })
    return found
  })
  const subscribing =
    subscribe === undefined ? null : (
      <Button size="xs" flex="none" onClick={() => void subscribe.do().then(test)}>
        {subscribe.label}
      </Button>
    )
  return (
    <EntityDetail
      entity={metaaccount}
      id={id}
      listAt="/metaaccount/search"
      hidden={NONE}
      above={row => (
        <>
          <NumberState account={row} />
          <MissingChannel account={row} />
          {answer === undefined ? null : (
            <ConnectionTestResult entity="metaaccount" answer={answer} remedies={{ webhook: subscribing }} />
          )}
        </>
      )}
      menu={() => entries}
      actions={() => (
        <>
          {button}
          {dialog}
        </>
      )}
    />
  )
}

/** /meta/account/{id}: another address of an account's page. */
export const MetaAccountAddress = () => {
  const { id = '' } = useParams()
  const { search } = useLocation()
  return <Redirect to={{ pathname: `/metaaccount/${encodeURIComponent(id)}`, search }} />
}
