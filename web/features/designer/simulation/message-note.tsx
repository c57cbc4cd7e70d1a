import { Brain, LayoutTemplate, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useName } from '#web/entity/entity-query.ts'
import { durationOf } from '#web/format/time.ts'
import type { SimulationMessage, SimulationView } from './use-simulation.ts'

const SECOND_MS = 1000
const MINUTE_S = 60

const clock = (seconds: number): string =>
  `${Math.floor(seconds / MINUTE_S)}:${String(seconds % MINUTE_S).padStart(2, '0')}`

/** Time spent waiting for an answer, counted while visible. */
const Waiting = () => {
  const { t } = useTranslation('simulation')
  const [began] = useState(Date.now)
  const [now, setNow] = useState(began)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  return <span aria-hidden>{t('chat.waits', { time: clock(Math.floor((now - began) / SECOND_MS)) })}</span>
}

interface SourceProps {
  readonly message: SimulationMessage
  readonly isLast: boolean
  readonly blockName: (block: string) => string
  readonly onBlock: (block: string) => void
}

/** Which block said it, how long after the person spoke, and how long its answer is waited for. */
export const MessageSource = ({ message: { block, after = 0 }, isLast, blockName, onBlock }: SourceProps) =>
  block === null ? null : (
    <span className="ps-note">
      <button type="button" className="ps-source" onClick={() => onBlock(block)}>
        {blockName(block)}
      </button>
      {isLast ? <Waiting /> : after >= 1 ? <span>{durationOf(after)}</span> : null}
    </span>
  )

/** Which one WhatsApp would get: the text, or the template of the block. */
export const TemplateNote = ({ message: { template } }: { readonly message: SimulationMessage }) => {
  const { t } = useTranslation('simulation')
  const name = useName('template', template?.id)
  if (template === undefined) return null
  const values = Object.entries(template.values).map(([variable, value]) => `${variable} = ${value || '–'}`)
  return (
    <span className="ps-note" {...(template.sent ? { 'data-tone': 'warning' } : {})}>
      <LayoutTemplate size={12} aria-hidden />
      {t(template.sent ? 'chat.template' : 'chat.nottemplate', {
        name: name ?? template.id,
        values: values.join(', '),
      })}
    </span>
  )
}

/** Refused tries of a turn's answer so far; undefined if accepted. */
const refusedTries = ({ steps }: SimulationView, turn: number): number | undefined => {
  const step = steps.find(each => each.turn === turn && each.tries !== undefined)
  if (step?.tries === undefined) return undefined
  const before = steps.findLast(each => each.turn < turn && each.block === step.block && each.frame === step.frame)
  return step.tries > (before?.tries ?? 0) ? step.tries : undefined
}

/** Result of the person's input: the detected intent, or the refusal. */
export const PersonNote = ({ turn, view }: { readonly turn: number; readonly view: SimulationView }) => {
  const { t } = useTranslation('simulation')
  const understood = view.understood.findLast(each => each.turn === turn && each.intent !== null)
  const confidence = understood?.ranking.find(({ name }) => name === understood.intent)?.confidence
  const tries = refusedTries(view, turn)
  return (
    <>
      {understood === undefined ? null : (
        <span className="ps-note">
          <Brain size={12} aria-hidden />
          {understood.intent}
          {confidence === undefined ? null : ` ${Math.round(confidence * 100)} %`}
        </span>
      )}
      {tries === undefined ? null : (
        <span className="ps-note" data-tone="warning">
          <TriangleAlert size={12} aria-hidden />
          {t('chat.notaccepted', { count: tries })}
        </span>
      )}
    </>
  )
}
