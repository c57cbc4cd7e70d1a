import { Button } from '@chakra-ui/react'
import { Check } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { checkForm } from '#domain/flow/lint/check-block.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import { useWords } from '../canvas/canvas-context.ts'
import { checkMessage, fieldWords } from '../model/finding-messages.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { useStickyErrors } from './use-field-finding.ts'
import { isCompletenessCheck, useIsNewBlock } from './use-new-block.ts'

const NONE: readonly never[] = []

/** A card that does not wait for its own button, whose variable is on another tab. */
const NoWait = ({ block }: { readonly block: string }) => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const { wanted } = useDesigner()
  return (
    <li data-code="block.nowait">
      {words('block:lint.block.nowait')}{' '}
      <Button
        variant="plain"
        size="xs"
        h="auto"
        onClick={() => {
          // This button is removed with its tab: the focus moves to the field.
          document.querySelector<HTMLElement>('.pl-inspector [role=tab][aria-selected=true]')?.focus()
          wanted.set({ block, field: 'varname' })
        }}
      >
        {t('lint.fix.block_nowait')}
      </Button>
    </li>
  )
}

/** Form errors, above the fields; an error of one value also appears under it. */
export const Faults = ({ node }: { readonly node: NodeModel }) => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const isFresh = useIsNewBlock(node.id)
  const { findings, mayEdit } = useDesigner()
  const isLeft = useStoreValue(findings).some(({ block, code }) => block === node.id && code === 'block.nowait')
  const isTold = isLeft && mayEdit && !isFresh
  const faults = useMemo(() => {
    const block = blockOf(node.type)
    const found = block === undefined ? NONE : checkForm(block, node.properties)
    return isFresh ? found.filter(({ rule }) => !isCompletenessCheck(rule.check)) : found
  }, [node, isFresh])
  const told = useMemo(
    () =>
      faults.map(({ rule, item }) => {
        const message = checkMessage(rule.check, node.type, rule.field, words)
        const said =
          item === undefined
            ? message
            : t('inspector.invalidItem', {
                message,
                list: fieldWords(node.type, item.list, words),
                place: item.place + 1,
              })
        return { key: `${rule.field} ${item?.place ?? ''}`, text: t('inspector.invalid', { message: said }) }
      }),
    [faults, node.type, t, words],
  )
  const lines = useStickyErrors(told)
  if (lines.length === 0 && !isTold) return null
  const grave = faults.some(({ rule }) => rule.severity === 'error')
  const severity = grave ? 'error' : faults.length > 0 || isTold ? 'warning' : 'none'
  return (
    <div className="pl-faults" role="status" data-severity={severity} aria-label={t('lint.title')}>
      <ul>
        {lines.map(({ key, text, isMended }) => (
          <li key={key} data-mended={isMended}>
            {isMended === true ? <Check className="pl-mended" size={13} aria-hidden /> : null}
            {isMended === true ? <s>{text}</s> : text}
          </li>
        ))}
        {isTold ? <NoWait block={node.id} /> : null}
      </ul>
    </div>
  )
}
