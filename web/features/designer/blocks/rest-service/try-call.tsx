import { chakra } from '@chakra-ui/react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Json } from '#schemas/event.ts'
import { http } from '#web/api/http.ts'
import { Chip } from '#web/components/chip.tsx'
import { bytesOf } from '#web/format/number.ts'
import { useDesigner } from '../../session/designer.ts'
import { useNames } from '../../session/flow-names.ts'
import { PanelSection } from '../panel/panel-section.tsx'
import { JsonTree } from '../try-out/json-tree.tsx'
import { SampleFields } from '../try-out/sample-fields.tsx'
import { FailureNote, PlainValue, TrialResult } from '../try-out/trial-result.tsx'
import { TryButton } from '../try-out/try-button.tsx'
import { picked, useTrialInputs } from '../try-out/use-trial-inputs.ts'
import {
  type CallAnswer,
  type Failure,
  type TriedCall,
  type TryInput,
  trialResultsStore,
  useTry,
} from '../try-out/use-try.ts'

const toneOf = (status: number) =>
  status < 300 ? 'positive' : status < 400 ? 'info' : status < 500 ? 'warning' : 'danger'

const jsonOf = (text: string): { readonly value: Json } | undefined => {
  try {
    return { value: JSON.parse(text) as Json }
  } catch {
    return undefined
  }
}

const Body = ({ answer, variable }: { readonly answer: CallAnswer; readonly variable: string }) => {
  const { t } = useTranslation('designer')
  const { bot } = useNames()
  const json = answer.truncated ? undefined : jsonOf(answer.body)
  if (answer.binary) return <chakra.p fontSize="xs">{t('try.binary')}</chakra.p>
  if (json !== undefined)
    return (
      <JsonTree
        label={t('try.body')}
        value={json.value}
        parser={bot?.jsonpathparser ?? 'JSONPath'}
        variable={variable}
      />
    )
  return answer.body === '' ? (
    <chakra.p fontSize="xs" color="fg.muted">
      {t('try.empty')}
    </chakra.p>
  ) : (
    <PlainValue label={t('try.body')} text={answer.body} />
  )
}

interface ResultProps {
  readonly answer: CallAnswer
  readonly time: number
  /** Takes the body; '' for none. */
  readonly variable: string
}

/** A server's response: status, time, size and body. */
const CallResult = ({ answer, time, variable }: ResultProps) => {
  const { t } = useTranslation('designer')
  return (
    <>
      <div className="pl-told">
        <Chip tone={toneOf(answer.status)}>{answer.status}</Chip>
        <span>{t('try.time', { time })}</span>
        <span>{bytesOf(answer.size)}</span>
        {answer.redirects === 0 ? null : <span>{t('try.redirects', { count: answer.redirects })}</span>}
      </div>
      {answer.truncated ? (
        <chakra.p fontSize="xs" color="warning.fg">
          {t('try.truncated', { size: bytesOf(answer.size) })}
        </chakra.p>
      ) : null}
      <Body answer={answer} variable={variable} />
      <details className="pl-told-headers">
        <summary>{t('try.headers', { count: answer.headers.length })}</summary>
        <dl>
          {answer.headers.map(({ name, value }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a header may come twice
            <div key={place}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  )
}

const ATTEMPT = {
  send: (input: TryInput) => http.post('/{kind}/{id}/try/call', input),
  failed: (failure: Failure): TriedCall => ({ time: 0, failure }),
}
const SENT = ['methodType', 'url', 'headers', 'input', 'formData', 'timeout'] as const

/** Keeps the answer of a try for the completion of paths into its variable. */
const useKeepTried = (variable: Json | undefined, result: TriedCall | undefined) => {
  const { address } = useDesigner()
  const { kind, id } = address
  useEffect(() => {
    const answer = result?.answer
    if (typeof variable !== 'string' || variable === '' || answer === undefined) return
    const json = answer.truncated || answer.binary ? undefined : jsonOf(answer.body)
    if (json !== undefined) trialResultsStore({ kind, id }).set(held => ({ ...held, [variable]: json.value }))
  }, [kind, id, variable, result])
}

/** Makes a block's call from the server, with values that a person makes up. */
export const TryCall = () => {
  const { t } = useTranslation('designer')
  const { properties, names, values, mayEdit } = useTrialInputs(({ methodType }) => {
    const sends = methodType !== 'get'
    return { text: ['url'], json: sends ? ['input'] : [], pairs: sends ? ['headers', 'formData'] : ['headers'] }
  })
  const { isRunning, result, run } = useTry(ATTEMPT)
  useKeepTried(properties.resultVariable, result)
  if (!mayEdit) return null
  return (
    <PanelSection title={t('try.title')}>
      <SampleFields names={names} />
      <TryButton
        label={t('try.send')}
        isRunning={isRunning}
        disabled={properties.url === ''}
        onTry={() => run(picked(properties, SENT), values)}
      />
      {properties.oauthConfigName === '' ? null : (
        <chakra.p fontSize="xs" color="fg.muted">
          {t('try.noOauth')}
        </chakra.p>
      )}
      <TrialResult result={result}>
        {result?.request === undefined ? null : (
          <code className="pl-asked">
            <b>{result.request.method}</b> {result.request.url}
          </code>
        )}
        {result?.failure === undefined ? null : <FailureNote failure={result.failure} />}
        {result?.answer === undefined ? null : (
          <CallResult answer={result.answer} time={result.time} variable={String(properties.resultVariable ?? '')} />
        )}
      </TrialResult>
    </PanelSection>
  )
}
