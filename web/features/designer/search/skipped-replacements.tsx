import { chakra, HStack } from '@chakra-ui/react'
import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { FlowsRewritten } from '#schemas/api/flow-text.ts'
import { IconButton } from '#web/components/hint.tsx'
import { useWords } from '../canvas/canvas-context.ts'
import { plainTitle } from '../model/label.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import type { useGoToBlock } from './open-search.ts'

/** A place skipped by a replacement because its text changed. */
export type Place = FlowsRewritten['left'][number]

export interface SkippedReplacementsProps {
  readonly places: readonly Place[]
  /** Total, including places not listed. */
  readonly count: number
  readonly onGo: ReturnType<typeof useGoToBlock>
  readonly onClose: () => void
}

const MAX_SHOWN = 20

/** Which places a replacement left alone, each to be gone to. */
export const SkippedReplacements = ({ places, count, onGo, onClose }: SkippedReplacementsProps) => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const { address, canvas } = useDesigner()
  const nodes = useStoreValue(canvas.flow).nodes
  if (places.length === 0) return null
  const shown = new Map(places.slice(0, MAX_SHOWN).map(place => [`${place.id} ${place.block} ${place.field}`, place]))
  const wordsOf = ({ id, name, block, field }: Place): string => {
    if (block === '') return `${name} · ${t('seek.script')}`
    const node = id === address.id ? nodes.get(block) : undefined
    const title = node === undefined ? (id === address.id ? t('seek.goneBlock') : '') : plainTitle(node, words)
    const what = field === 'title' ? t('inspector.title') : words(`block:field.${field}`, { defaultValue: field })
    return [name, title, what].filter(part => part !== '').join(' · ')
  }
  return (
    <chakra.section role="alert" px="3.5" py="2" bg="bg.warning" fontSize="sm" borderTopWidth="1px" flex="none">
      <HStack>
        <chakra.h3 flex="1" fontSize="sm" fontWeight="semibold">
          {t('seek.passedOver')}
        </chakra.h3>
        <IconButton icon={X} label={t('close')} size="xs" onClick={onClose} />
      </HStack>
      <chakra.ul listStyleType="none" m="0" maxH="160px" overflowY="auto">
        {[...shown].map(([key, place]) => (
          <li key={key}>
            <chakra.button
              type="button"
              textAlign="start"
              w="100%"
              minH="28px"
              overflowWrap="anywhere"
              textDecoration="underline"
              onClick={() => onGo(place, { block: place.block, path: [], field: '' })}
            >
              {wordsOf(place)}
            </chakra.button>
          </li>
        ))}
        {count > shown.size ? <li>{t('seek.more', { count: count - shown.size })}</li> : null}
      </chakra.ul>
    </chakra.section>
  )
}
