import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { checkForm } from '#domain/flow/check-block.ts'
import type { NodeModel } from '#domain/flow/model.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import { useWords } from '../canvas/words.ts'
import { checkWords, fieldWords } from '../model/finding.ts'

const NONE: readonly never[] = []

/** What the form refuses, above its fields; what is wrong with one value stands under that value too. */
export const Faults = ({ node }: { readonly node: NodeModel }) => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const faults = useMemo(() => {
    const block = blockOf(node.type)
    return block === undefined ? NONE : checkForm(block, node.properties)
  }, [node])
  if (faults.length === 0) return null
  const grave = faults.some(({ rule }) => rule.severity === 'error')
  return (
    <div className="pl-faults" role="status" data-severity={grave ? 'error' : 'warning'} aria-label={t('lint.title')}>
      <ul>
        {faults.map(({ rule, item }) => {
          const message = checkWords(rule.check, node.type, rule.field, words)
          const said =
            item === undefined
              ? message
              : t('inspector.invalidItem', {
                  message,
                  list: fieldWords(node.type, item.list, words),
                  place: item.place + 1,
                })
          return <li key={`${rule.field} ${item?.place ?? ''}`}>{t('inspector.invalid', { message: said })}</li>
        })}
      </ul>
    </div>
  )
}
