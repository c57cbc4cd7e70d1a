import { Button, HStack, Input, Textarea } from '@chakra-ui/react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Json } from '#schemas/event.ts'
import type { SimulationRun, SimulationView } from './use-simulation.ts'

const jsonIn = (text: string): { readonly ok: true; readonly value: Json } | { readonly ok: false } => {
  if (text.trim() === '') return { ok: true, value: null }
  try {
    return { ok: true, value: JSON.parse(text) as Json }
  } catch {
    return { ok: false }
  }
}

interface Props {
  readonly call: SimulationView['calls'][number]
  readonly run: SimulationRun
}

/** A pending call: its request, and a form for its response. */
export const PendingCall = ({ call, run }: Props) => {
  const { t } = useTranslation('simulation')
  const [status, setStatus] = useState('200')
  const [body, setBody] = useState('{}')
  const id = useId()
  const given = jsonIn(body)
  const code = Number(status)
  const isStatus = Number.isInteger(code) && code >= 100 && code <= 599
  const answer = () => {
    if (given.ok && isStatus) run.answer({ status: code, body: given.value })
  }
  return (
    <section className="ps-call" aria-label={t('call.waits')}>
      <b>{t('call.waits')}</b>
      <code>
        {call.method} {call.url}
      </code>
      {call.body === undefined ? null : <pre>{call.body}</pre>}
      <label htmlFor={`${id}-status`}>{t('call.status')}</label>
      <Input
        id={`${id}-status`}
        size="sm"
        w="20"
        inputMode="numeric"
        value={status}
        aria-invalid={!isStatus}
        onChange={event => setStatus(event.target.value)}
      />
      <label htmlFor={`${id}-body`}>{t('call.body')}</label>
      <Textarea
        id={`${id}-body`}
        size="sm"
        rows={4}
        fontFamily="mono"
        value={body}
        aria-invalid={!given.ok}
        aria-describedby={given.ok ? undefined : `${id}-fault`}
        onChange={event => setBody(event.target.value)}
      />
      {given.ok ? null : (
        <span id={`${id}-fault`} role="alert" className="ps-fault">
          {t('call.json')}
        </span>
      )}
      <HStack gap="2" mt="1">
        <Button
          size="sm"
          variant="solid"
          colorPalette="accent"
          disabled={run.busy || !given.ok || !isStatus}
          onClick={answer}
        >
          {t('call.answer')}
        </Button>
        <Button size="sm" disabled={run.busy} onClick={() => run.answer({ real: true })}>
          {t('call.real')}
        </Button>
      </HStack>
    </section>
  )
}
