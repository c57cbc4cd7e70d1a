import { Textarea } from '@chakra-ui/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useWords } from '../../canvas/canvas-context.ts'
import type { Failure } from './use-try.ts'

interface TrialResultProps {
  /** Another one is another result. */
  readonly result: object | undefined
  readonly children: ReactNode
}

/** Result of a try; scrolls into view. */
export const TrialResult = ({ result, children }: TrialResultProps) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (result !== undefined) place.current?.scrollIntoView({ block: 'nearest' })
  }, [result])
  return (
    <div ref={place} className="pl-tried" aria-live="polite">
      {children}
    </div>
  )
}

const MAX_ROWS = 12

/** A text to read, to scroll by keyboard and to copy from. */
export const PlainValue = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <Textarea
    className="pl-value"
    readOnly
    aria-label={label}
    rows={Math.min(MAX_ROWS, text.split('\n').length)}
    fontFamily="mono"
    fontSize="xs"
    spellCheck={false}
    value={text}
  />
)

/** Why nothing came of it, and in which fields. */
export const FailureNote = ({ failure }: { readonly failure: Failure }) => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const nameOf = (path: string) => {
    const [field = '', place] = path.split('.')
    const name = words(`block:field.${field}`, { defaultValue: field })
    return place === undefined ? name : t('try.item', { name, place: Number(place) + 1 })
  }
  return (
    <div className="pl-faults" data-severity="error" role="alert">
      {failure.errors === undefined ? (
        failure.detail
      ) : (
        <ul>
          {failure.errors.map(({ path, message }) => (
            <li key={path}>
              <b>{nameOf(path)}</b>: {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
