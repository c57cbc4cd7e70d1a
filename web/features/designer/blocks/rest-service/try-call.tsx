import { chakra } from '@chakra-ui/react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Json } from '#schemas/event.ts'
import { http } from '#web/api/http.ts'
import { useDesigner } from '../../session/designer.ts'
import { PanelSection } from '../panel/panel-section.tsx'
import { FailureNote } from '../try-out/failure-note.tsx'
import { picked } from '../try-out/picked.ts'
import { SampleFields } from '../try-out/sample-fields.tsx'
import type { Failure, TriedCall } from '../try-out/tried.ts'
import { TriedResult } from '../try-out/tried-result.tsx'
import { triedValuesOf } from '../try-out/tried-values.ts'
import { TryButton } from '../try-out/try-button.tsx'
import { useMadeUp } from '../try-out/use-made-up.ts'
import { type TryInput, useTry } from '../try-out/use-try.ts'
import { CallResult, jsonOf } from './call-result.tsx'

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
    if (json !== undefined) triedValuesOf({ kind, id }).set(held => ({ ...held, [variable]: json.value }))
  }, [kind, id, variable, result])
}

/** Makes a block's call from the server, with values that a person makes up. */
export const TryCall = () => {
  const { t } = useTranslation('designer')
  const { properties, names, values, mayEdit } = useMadeUp(({ methodType }) => {
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
      <TriedResult result={result}>
        {result?.request === undefined ? null : (
          <code className="pl-asked">
            <b>{result.request.method}</b> {result.request.url}
          </code>
        )}
        {result?.failure === undefined ? null : <FailureNote failure={result.failure} />}
        {result?.answer === undefined ? null : <CallResult answer={result.answer} time={result.time} />}
      </TriedResult>
    </PanelSection>
  )
}
