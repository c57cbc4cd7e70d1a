import { chakra, Input } from '@chakra-ui/react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { Modal } from '#web/components/modal.tsx'
import { OptionRow } from '#web/components/option-row.tsx'
import { useWords } from '../canvas/canvas-context.ts'
import { Tile } from '../canvas/tile.tsx'
import { isMarker } from '../model/block-appearance.ts'
import { findBlocks } from '../model/block-text.ts'
import { isOtherwise, plainTitle, wayWords } from '../model/label.ts'
import { previewOf, previewText } from '../model/preview.ts'
import { sectionTitles } from '../model/reading-order.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'

interface WayChoiceProps {
  readonly node: NodeModel
  readonly label: string
  /** Id of the chosen output. */
  readonly chosen: string | undefined
  readonly onChoose: (output: string) => void
}

/** The ways out of a block, of which one is meant; absent where there is but one. */
export const OutputChoice = ({ node, label, chosen, onChoose }: WayChoiceProps) => {
  const words = useWords()
  if (node.outputs.length < 2) return null
  return (
    <fieldset className="pl-seg" data-wraps aria-label={label}>
      {node.outputs.map((each, index) => (
        <button key={each.id} type="button" aria-pressed={each.id === chosen} onClick={() => onChoose(each.id)}>
          <b>{isOtherwise(each) ? '↳' : index + 1}</b>
          <span>{wayWords(node, each, index, words)}</span>
        </button>
      ))}
    </fieldset>
  )
}

const MAX_OPTIONS = 40

/** Blocks with an input that a search finds. */
const useTargets = (block: string, search: string): readonly string[] => {
  const words = useWords()
  const { canvas } = useDesigner()
  const flow = useStoreValue(canvas.flow)
  return useMemo(() => {
    const found = search.trim() === '' ? [...flow.nodes.keys()] : findBlocks(flow, search, words)
    return found.filter(id => id !== block && (flow.nodes.get(id)?.inputs.length ?? 0) > 0).slice(0, MAX_OPTIONS)
  }, [flow, search, words, block])
}

/** Linking by keys: a number chooses the output, words the target, Enter links. */
export const LinkPicker = ({ block, onClose }: { readonly block: string; readonly onClose: () => void }) => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const { canvas, actions, said } = useDesigner()
  const flow = useStoreValue(canvas.flow)
  const node = flow.nodes.get(block)
  const outputs = node?.outputs ?? []
  const [output, setOutput] = useState(outputs.length === 1 ? outputs[0]?.id : undefined)
  const [search, setSearch] = useState('')
  const [active, setActive] = useState(0)
  const sections = useMemo(() => sectionTitles(flow, words), [flow, words])
  const targets = useTargets(block, search)
  if (node === undefined || outputs.length === 0) return null
  const link = (to: string | undefined) => {
    const target = to === undefined ? undefined : flow.nodes.get(to)
    if (target === undefined || output === undefined) return
    actions.link({ from: block, fromConnector: output }, target.id)
    said.set(t('said.linked', { title: plainTitle(target, words) }))
    onClose()
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const chosen = outputs[Number(event.key) - 1]
    if (output === undefined && chosen !== undefined) {
      event.preventDefault()
      setOutput(chosen.id)
      return
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setActive((active + step + targets.length) % Math.max(1, targets.length))
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      link(targets[active])
    }
  }
  return (
    <Modal onClose={onClose} title={t('link.title', { title: plainTitle(node, words) })} width={420}>
      <fieldset className="pl-plain" aria-label={t('link.output')} onKeyDown={onKeyDown}>
        <OutputChoice node={node} label={t('link.output')} chosen={output} onChoose={setOutput} />
        <Input
          data-autofocus
          mt="3"
          value={search}
          role="combobox"
          aria-expanded="true"
          aria-controls="pl-targets"
          aria-activedescendant={targets.length === 0 ? undefined : `pl-target-${active}`}
          aria-label={t('link.target')}
          placeholder={output === undefined ? t('link.chooseOutput') : t('link.target')}
          onChange={event => {
            setSearch(event.target.value)
            setActive(0)
          }}
        />
        <chakra.div id="pl-targets" role="listbox" aria-label={t('link.target')} mt="2" maxH="280px" overflowY="auto">
          {targets.map((id, index) => {
            const target = flow.nodes.get(id)
            if (target === undefined) return null
            const preview = isMarker(target) ? '' : previewText(previewOf(target, words))
            return (
              <OptionRow
                key={id}
                list="pl-target"
                index={index}
                active={active}
                onPoint={setActive}
                onChoose={() => link(id)}
              >
                <Tile type={target.type} size={22} />
                <chakra.span truncate>
                  <b>{plainTitle(target, words)}</b> {preview.slice(0, 60)}
                  <chakra.small color="fg.subtle"> {sections.get(id)}</chakra.small>
                </chakra.span>
              </OptionRow>
            )
          })}
        </chakra.div>
      </fieldset>
    </Modal>
  )
}
