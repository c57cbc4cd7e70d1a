import { Button, chakra, HStack } from '@chakra-ui/react'
import { Check, CornerDownRight, Ellipsis, Pencil, RotateCcw, Trash2 } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { partsOf } from '#domain/comment.ts'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { ADMINISTRATION } from '#domain/people/permission.ts'
import { failureOf } from '#web/api/failure.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu, type MenuAction } from '#web/components/action-menu.tsx'
import { type NamedPerson, nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { agoOf, momentOf } from '#web/format/time.ts'
import { useWords } from '../canvas/canvas-context.ts'
import { Tile } from '../canvas/tile.tsx'
import { useCommands } from '../commands/commands.ts'
import { useMode } from '../mode/mode-context.ts'
import { plainTitle } from '../model/label.ts'
import { useDesigner } from '../session/designer.ts'
import { usePhone } from '../session/use-phone.ts'
import { Composer } from './composer.tsx'
import { type Comment, type Thread, toWritten } from './thread.ts'
import { useComments } from './use-comments.ts'

/** A person's name as it is now; the forgotten have none. */
const usePersonName = () => {
  const { t } = useTranslation('comment')
  return (person: NamedPerson | null) => {
    if (person?.username !== null) return nameOf(person)
    return person.forgotten ? t('forgotten') : t('somebody')
  }
}

const Text = ({ comment }: { readonly comment: Comment }) => {
  const named = usePersonName()
  return (
    <chakra.p fontSize={{ base: 'md', md: 'sm' }} whiteSpace="pre-wrap" overflowWrap="anywhere">
      {partsOf(comment.text).map((part, index) => {
        const key = `${index}`
        if ('text' in part) return <span key={key}>{part.text}</span>
        const person = comment.mentioned.find(({ id }) => id === part.user) ?? { id: part.user, username: null }
        return (
          <b key={key} className="pl-named">
            @{named(person)}
          </b>
        )
      })}
    </chakra.p>
  )
}

const Time = ({ comment }: { readonly comment: Comment }) => {
  const { t } = useTranslation('comment')
  const { created_at: made, edited_at: edited } = comment
  return (
    <chakra.span fontSize="xs" color="fg.muted" whiteSpace="nowrap">
      <time dateTime={made} title={momentOf(made)}>
        {agoOf(made)}
      </time>
      {edited === null ? null : <span title={momentOf(edited)}> · {t('edited')}</span>}
    </chakra.span>
  )
}

/** One comment: author, time, text; its author and administrators edit and remove it in place. */
const ItemMenu = ({ name, actions }: { readonly name: string; readonly actions: readonly MenuAction[] }) => {
  const { t } = useTranslation('comment')
  return (
    <ActionMenu label={t('more')} actions={actions}>
      <Button
        variant="ghost"
        size="2xs"
        px="0"
        my={{ base: '-2.5', md: '-1' }}
        minW={{ base: '44px', md: '24px' }}
        minH={{ base: '44px', md: '24px' }}
        aria-label={t('moreOf', { name })}
      >
        <Ellipsis size={15} aria-hidden />
      </Button>
    </ActionMenu>
  )
}

const CommentItem = ({ comment }: { readonly comment: Comment }) => {
  const { t } = useTranslation('comment')
  const { user, can } = useSession()
  const { notice } = useDesigner()
  const comments = useComments()
  const named = usePersonName()
  const [editing, setEditing] = useState(false)
  const mine = comment.author?.id === user.id || ADMINISTRATION.every(can)
  const remove = () =>
    void comments.remove(comment).catch(error => notice.set({ text: failureOf(error, t('failed')), tone: 'failed' }))
  const actions = [
    { id: 'edit', label: t('edit'), icon: Pencil, run: () => setEditing(true) },
    { id: 'remove', label: t('remove'), icon: Trash2, danger: true, run: remove },
  ]
  return (
    <HStack align="flex-start" gap="2.5">
      <PersonAvatar person={comment.author} size={24} />
      <chakra.div flex="1" minW="0">
        <HStack gap="2" minH="24px">
          <chakra.b fontSize="sm" truncate>
            {named(comment.author)}
          </chakra.b>
          <Time comment={comment} />
          <chakra.span flex="1" />
          {mine && !editing ? <ItemMenu name={named(comment.author)} actions={actions} /> : null}
        </HStack>
        {editing ? (
          <Composer
            label={t('edit')}
            place={`edit ${comment.id}`}
            initial={toWritten(comment.text, comment.mentioned)}
            action={t('save')}
            focus
            onSend={async text => {
              await comments.edit(comment, text)
              setEditing(false)
            }}
            onLeave={() => setEditing(false)}
            cancel
          />
        ) : (
          <Text comment={comment} />
        )}
      </chakra.div>
    </HStack>
  )
}

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
