import { Button, chakra } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { History, RotateCcw } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Modal } from '#web/components/modal.tsx'
import '../history/change.css'
import '../history/mark.css'
import { useWords } from '../canvas/canvas-context.ts'
import { BlockChange } from '../history/block-change.tsx'
import { ChangeMark } from '../history/legend.tsx'
import { changeEntries, flowAtQuery, linkEntries, revisionFlow, sceneOf } from '../history/scene.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'

const NOTHING: ReadonlySet<string> = new Set()

/** Difference in a block and its links after a restore from a revision. */
const useBlockDifference = (block: string, revision: number) => {
  const words = useWords()
  const { address, actions, canvas } = useDesigner()
  const then = useQuery(flowAtQuery(address, revision))
  const flow = useStoreValue(canvas.flow)
  const difference = useMemo(() => {
    if (then.data === undefined) return undefined
    const scene = sceneOf(revisionFlow(flow.nodes.size, actions.file()), then.data, words)
    const touches = (id: string) => {
      const link = scene.model.links.get(id)
      return link?.from === block || link?.to === block
    }
    return {
      entry: changeEntries(scene, words).find(({ id }) => id === block),
      links: linkEntries(scene, words).filter(({ id }) => touches(id)),
    }
  }, [then.data, flow, actions, words, block])
  return { difference, isFailed: then.isError }
}

const LinkChanges = ({ links }: { readonly links: ReturnType<typeof linkEntries> }) => {
  const { t } = useTranslation('history')
  if (links.length === 0) return null
  return (
    <ul className="pt-entries">
      {links.map(({ id, kind, words, was }) => (
        <chakra.li key={id} display="flex" alignItems="center" gap="2" py="1" fontSize="sm">
          <ChangeMark kind={kind} />
          <span>
            {t(`flow.whole.${kind}`)}: {words}
            {was === undefined ? null : <small> {t('flow.was', { title: was })}</small>}
          </span>
        </chakra.li>
      ))}
    </ul>
  )
}

interface BackPreviewProps {
  readonly block: string
  readonly revision: number
  /** The moment of that revision, in words. */
  readonly moment: string
  readonly onBring: () => void
  readonly onClose: () => void
}

/** Shows what bringing a block back would change, and asks before it is done. */
export const RestoreBlockPreview = ({ block, revision, moment, onBring, onClose }: BackPreviewProps) => {
  const { t } = useTranslation('designer')
  const { difference, isFailed } = useBlockDifference(block, revision)
  const { entry, links = [] } = difference ?? {}
  const isSame = difference !== undefined && entry === undefined && links.length === 0
  const status = isFailed ? t('said.brought.failed') : isSame ? t('said.brought.same') : undefined
  const bring = () => {
    onClose()
    onBring()
  }
  return (
    <Modal
      width={640}
      onClose={onClose}
      icon={<History size={18} aria-hidden />}
      title={t('inspector.preview.title', { moment })}
      actions={
        <Button
          data-autofocus
          variant="solid"
          colorPalette="accent"
          disabled={difference === undefined || isSame}
          onClick={bring}
        >
          <RotateCcw size={15} aria-hidden />
          {t('inspector.preview.do')}
        </Button>
      }
    >
      <chakra.p fontSize="sm" color="fg.muted" mb="2" role="status">
        {status ?? t('inspector.preview.would')}
      </chakra.p>
      {entry === undefined ? null : (
        <BlockChange
          node={entry.node}
          before={entry.before}
          links={[]}
          kind={entry.kind}
          place={entry.place}
          changes={entry.changes}
          span={[]}
          chosen={NOTHING}
          onChoose={undefined}
        />
      )}
      <LinkChanges links={links} />
    </Modal>
  )
}
