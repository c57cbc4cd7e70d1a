import { Button, chakra, HStack } from '@chakra-ui/react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { MessageSquare, X } from 'lucide-react'
import { useEffect, useState } from 'react'
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
import { Composer } from './composer.tsx'
import { type LinkedComment, threadsQuery, useLinkedComment } from './thread.ts'
import { ThreadCard } from './thread-card.tsx'
import { useComments } from './use-comments.ts'

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
