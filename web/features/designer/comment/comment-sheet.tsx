import { Button, chakra, HStack } from '@chakra-ui/react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Check, CornerDownRight, Ellipsis, MessageSquare, Pencil, RotateCcw, Trash2, X } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { Segments } from '#web/components/segments.tsx'
import { useWords } from '../canvas/canvas-context.ts'
import { Tile } from '../canvas/tile.tsx'
import { useMode } from '../mode/mode-context.ts'
import { plainTitle } from '../model/label.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import './comment.css'
import { partsOf } from '#domain/comment-text.ts'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { ADMINISTRATION } from '#domain/people/permission.ts'
import { failureOf } from '#web/api/failure.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu, type MenuAction } from '#web/components/action-menu.tsx'
import { type NamedPerson, nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { useCommands } from '#web/features/designer/commands/commands.ts'
import { usePhone } from '#web/features/designer/session/use-phone.ts'
import { agoOf, momentOf } from '#web/format/time.ts'
import { Composer } from './composer.tsx'
import { type Comment, type LinkedComment, type Thread, threadsQuery, toWritten, useLinkedComment } from './thread.ts'
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
const ThreadCard = ({ thread, node, about, wanted }: ThreadCardProps) => {
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

/** Says something about the selected block. */
const Beginning = ({ block, focus }: { readonly block: string; readonly focus: boolean }) => {
  const { t } = useTranslation('comment')
  const words = useWords()
  const { canvas } = useDesigner()
  const { send } = useMode()
  const comments = useComments()
  const node = useStoreValue(canvas.flow, flow => flow.nodes.get(block))
  if (node === undefined) return null
  const title = plainTitle(node, words)
  return (
    <chakra.div px="3.5" pb="3" display="grid" gap="2">
      <HStack gap="2" fontSize="sm" fontWeight="semibold">
        <Tile type={node.type} size={22} />
        <chakra.span truncate>{title}</chakra.span>
      </HStack>
      <Composer
        label={t('beginLabel', { title })}
        placeholder={t('beginHere')}
        place={`begin ${block}`}
        action={t('send')}
        focus={focus}
        onSend={text => comments.begin(block, text)}
        onLeave={() => send({ type: 'CLOSE' })}
      />
    </chakra.div>
  )
}

interface ThreadsProps {
  readonly resolved: boolean
  readonly block: string | undefined
  /** The comment that an address led to. */
  readonly wanted: string | undefined
}

const Threads = ({ resolved, block, wanted }: ThreadsProps) => {
  const { t } = useTranslation('comment')
  const { address, canvas } = useDesigner()
  const flow = useStoreValue(canvas.flow)
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    threadsQuery(address, { resolved, block }),
  )
  const threads = data?.pages.flatMap(({ items }) => items)
  if (threads === undefined) {
    return error === null ? null : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  if (threads.length === 0) {
    const text = block === undefined && !resolved ? { text: t('emptyText') } : {}
    return <EmptyState small icon={MessageSquare} title={t(resolved ? 'emptyResolved' : 'empty')} {...text} />
  }
  return (
    <chakra.ul listStyleType="none" m="0" className="pl-threads">
      {threads.map(thread => (
        <ThreadCard
          key={thread.id}
          thread={thread}
          node={flow.nodes.get(thread.block)}
          about={block === undefined}
          wanted={thread.id === wanted || thread.answers.some(({ id }) => id === wanted)}
        />
      ))}
      {hasNextPage ? (
        <chakra.li p="2" textAlign="center">
          <Button size="xs" variant="ghost" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('older')}
          </Button>
        </chakra.li>
      ) : null}
    </chakra.ul>
  )
}

const useReturnFocus = () =>
  useEffect(() => {
    const { activeElement: before } = document
    // Returns focus from the panel to the flow.
    return () => {
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus()
    }
  }, [])

/** Comments on the flow: of the selected block, or all; open or resolved. */
export const CommentSheet = () => {
  const { t } = useTranslation('comment')
  const { canvas } = useDesigner()
  const { send } = useMode()
  const [first, more] = useStoreValue(canvas.selection).blocks
  const selected = more === undefined ? first : undefined
  const [chosen, choose] = useState<{ resolved: boolean; beside: LinkedComment | undefined }>()
  const [everywhere, setEverywhere] = useState(false)
  const block = everywhere ? undefined : selected
  const { led: ledTo } = useLinkedComment()
  // A linked comment is shown in its own list until the user picks a list or another block.
  const led = selected === undefined || selected === ledTo?.block ? ledTo : undefined
  const resolved = chosen !== undefined && chosen.beside === led ? chosen.resolved : (led?.resolved ?? false)
  useReturnFocus()
  return (
    <chakra.section className="pl-sheet pl-comments" aria-label={t('title')}>
      <HStack px="3.5" py="2" gap="2">
        <chakra.h2 fontSize="md" flex="1">
          {t('title')}
        </chakra.h2>
        <IconButton
          icon={X}
          label={t('close')}
          size="xs"
          minW={{ base: '44px', md: '28px' }}
          minH={{ base: '44px', md: '28px' }}
          onClick={() => send({ type: 'CLOSE' })}
        />
      </HStack>
      <HStack px="3.5" pb="3" gap="2" wrap="wrap">
        <Segments
          label={t('which')}
          value={resolved ? 'resolved' : 'open'}
          options={[
            { value: 'open', label: t('openOnes') },
            { value: 'resolved', label: t('resolvedOnes') },
          ]}
          onChange={value => choose({ resolved: value === 'resolved', beside: led })}
        />
        {selected === undefined ? null : (
          <Segments
            label={t('where')}
            value={everywhere ? 'all' : 'block'}
            options={[
              { value: 'block', label: t('thisBlock') },
              { value: 'all', label: t('allBlocks') },
            ]}
            onChange={value => setEverywhere(value === 'all')}
          />
        )}
      </HStack>
      {block === undefined || resolved ? null : <Beginning key={block} block={block} focus={led === undefined} />}
      <chakra.div overflowY="auto" flex="1" minH="0">
        <Threads key={`${resolved} ${block ?? ''}`} resolved={resolved} block={block} wanted={led?.id} />
      </chakra.div>
    </chakra.section>
  )
}
