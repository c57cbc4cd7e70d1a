import { Button, chakra, HStack } from '@chakra-ui/react'
import { Check, CornerDownRight, RotateCcw } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { failureOf } from '#web/api/failure.ts'
import { useWords } from '../canvas/canvas-context.ts'
import { Tile } from '../canvas/tile.tsx'
import { useCommands } from '../commands/commands.ts'
import { useMode } from '../mode/mode-context.ts'
import { plainTitle } from '../model/label.ts'
import { useDesigner } from '../session/designer.ts'
import { usePhone } from '../session/use-phone.ts'
import { CommentItem, usePersonName } from './comment-item.tsx'
import { Composer } from './composer.tsx'
import type { Thread } from './thread.ts'
import { useComments } from './use-comments.ts'

const About = ({ node, block }: { readonly node: NodeModel | undefined; readonly block: string }) => {
  const { t } = useTranslation('comment')
  const words = useWords()
  const commands = useCommands()
  const { send } = useMode()
  const phone = usePhone()
  const show = () => {
    commands.show(block)
    // There the panel covers the flow.
    if (phone) send({ type: 'CLOSE' })
  }
  if (node === undefined) {
    return (
      <chakra.p fontSize="xs" color="fg.muted" fontStyle="italic" px="1" title={block}>
        {t('gone')}
      </chakra.p>
    )
  }
  return (
    <button type="button" className="pl-about" onClick={show}>
      <Tile type={node.type} size={22} />
      <chakra.span truncate>{plainTitle(node, words)}</chakra.span>
    </button>
  )
}

interface ThreadCardProps {
  readonly thread: Thread
  readonly node: NodeModel | undefined
  /** Whether to show the thread's block. */
  readonly about: boolean
  /** The one a link led to. */
  readonly wanted: boolean
}

/** Settles a thread or opens it again; the focus stays in the list. */
const useSettle = (thread: Thread, card: RefObject<HTMLLIElement | null>) => {
  const { t } = useTranslation('comment')
  const comments = useComments()
  const { notice } = useDesigner()
  const [busy, setBusy] = useState(false)
  const settle = async () => {
    setBusy(true)
    const { nextElementSibling: next, previousElementSibling: before } = card.current ?? {}
    const panel = card.current?.closest('section')
    try {
      await comments.settle(thread)
      // It left the list with the keyboard in it.
      const near = (next ?? before ?? panel)?.querySelector<HTMLElement>('button')
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) near?.focus()
      })
    } catch (error) {
      notice.set({ text: failureOf(error, t('failed')), tone: 'failed' })
    } finally {
      setBusy(false)
    }
  }
  return { busy, settle }
}

/** A thread: its first comment, the answers, and what ends it. */
export const ThreadCard = ({ thread, node, about, wanted }: ThreadCardProps) => {
  const { t } = useTranslation('comment')
  const comments = useComments()
  const named = usePersonName()
  const [answering, setAnswering] = useState(false)
  const card = useRef<HTMLLIElement>(null)
  const { busy, settle } = useSettle(thread, card)
  const answer = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!wanted) return
    card.current?.scrollIntoView({ block: 'nearest' })
    card.current?.focus({ preventScroll: true })
  }, [wanted])
  const stopAnswering = () => {
    setAnswering(false)
    requestAnimationFrame(() => answer.current?.focus())
  }
  return (
    <chakra.li
      ref={card}
      className="pl-thread"
      data-thread={thread.id}
      data-wanted={wanted || undefined}
      tabIndex={wanted ? -1 : undefined}
      outline="none"
    >
      {about ? <About node={node} block={thread.block} /> : null}
      {thread.withdrawn ? (
        <chakra.p fontSize="sm" color="fg.muted" fontStyle="italic" ps="1">
          {t('wasRemoved')}
        </chakra.p>
      ) : (
        <CommentItem comment={thread} />
      )}
      {thread.answers.map(answer => (
        <chakra.div key={answer.id} ps="4" borderStartWidth="2px" ms="11px">
          <CommentItem comment={answer} />
        </chakra.div>
      ))}
      {thread.resolved ? (
        <HStack gap="1.5" fontSize="xs" color="positive.fg">
          <Check size={14} aria-hidden />
          {t('resolvedBy', { name: named(thread.resolved_by) })}
        </HStack>
      ) : null}
      {answering ? (
        <Composer
          label={t('answerLabel')}
          placeholder={t('answerHere')}
          place={`answer ${thread.id}`}
          action={t('answer')}
          focus
          onSend={async text => {
            await comments.answer(thread, text)
            stopAnswering()
          }}
          onLeave={stopAnswering}
          cancel
        />
      ) : (
        <HStack gap="1" ms="-2">
          <Button
            ref={answer}
            size="xs"
            variant="ghost"
            minH={{ base: '44px', md: '28px' }}
            onClick={() => setAnswering(true)}
          >
            <CornerDownRight size={14} aria-hidden />
            {t('answer')}
          </Button>
          <Button
            size="xs"
            variant="ghost"
            minH={{ base: '44px', md: '28px' }}
            loading={busy}
            onClick={() => void settle()}
          >
            {thread.resolved ? <RotateCcw size={14} aria-hidden /> : <Check size={14} aria-hidden />}
            {thread.resolved ? t('reopen') : t('resolve')}
          </Button>
        </HStack>
      )}
    </chakra.li>
  )
}
