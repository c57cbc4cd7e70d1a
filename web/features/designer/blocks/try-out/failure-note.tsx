import { useTranslation } from 'react-i18next'
import { useWords } from '../../canvas/translate-context.ts'
import type { Failure } from './tried.ts'

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
