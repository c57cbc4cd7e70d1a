import { chakra } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import type { Json } from '#schemas/event.ts'
import { Chip } from '#web/components/chip.tsx'
import { bytesOf } from '#web/format/bytes.ts'
import { useNames } from '../../session/names-context.ts'
import { JsonTree } from '../try-out/json-tree.tsx'
import { PlainValue } from '../try-out/plain-value.tsx'
import type { CallAnswer } from '../try-out/tried.ts'

const toneOf = (status: number) =>
  status < 300 ? 'positive' : status < 400 ? 'info' : status < 500 ? 'warning' : 'danger'

export const jsonOf = (text: string): { readonly value: Json } | undefined => {
  try {
    return { value: JSON.parse(text) as Json }
  } catch {
    return undefined
  }
}

const Body = ({ answer }: { readonly answer: CallAnswer }) => {
  const { t } = useTranslation('designer')
  const { bot } = useNames()
  const json = answer.truncated ? undefined : jsonOf(answer.body)
  if (answer.binary) return <chakra.p fontSize="xs">{t('try.binary')}</chakra.p>
  if (json !== undefined)
    return <JsonTree label={t('try.body')} value={json.value} parser={bot?.jsonpathparser ?? 'JSONPath'} />
  return answer.body === '' ? (
    <chakra.p fontSize="xs" color="fg.muted">
      {t('try.empty')}
    </chakra.p>
  ) : (
    <PlainValue label={t('try.body')} text={answer.body} />
  )
}

/** A server's response: status, time, size and body. */
export const CallResult = ({ answer, time }: { readonly answer: CallAnswer; readonly time: number }) => {
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
      <Body answer={answer} />
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
