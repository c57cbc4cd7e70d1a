import { chakra, Input } from '@chakra-ui/react'
import { ChevronDown, ChevronUp, Replace, TextSearch, X } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '#web/components/hint.tsx'
import { useWords } from '../canvas/canvas-context.ts'
import { useCommands } from '../commands/commands.ts'
import { useMode } from '../mode/mode-context.ts'
import { findBlocks } from '../model/block-text.ts'
import { useStoreValue } from '../model/store.ts'
import { openSearch } from '../search/open-search.ts'
import { useDesigner } from '../session/designer.ts'
import { usePhone } from '../session/use-phone.ts'

/** The blocks that a search finds; they stay bright. */
const useFoundBlocks = (search: string): readonly string[] => {
  const words = useWords()
  const { canvas } = useDesigner()
  const flow = useStoreValue(canvas.flow)
  const found = useMemo(() => findBlocks(flow, search, words), [flow, search, words])
  useEffect(() => {
    canvas.bright.set(search.trim() === '' ? undefined : new Set(found))
  }, [canvas, search, found])
  useEffect(() => () => canvas.bright.set(undefined), [canvas])
  return found
}

/** Finds blocks by text, title, variable and type: hits stay bright, the rest fades, Enter goes to the next. */
export const FindBar = () => {
  const { t } = useTranslation('designer')
  const designer = useDesigner()
  const phone = usePhone()
  const mayEdit = designer.mayEdit && !phone
  const { send } = useMode()
  const commands = useCommands()
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(-1)
  const found = useFoundBlocks(search)
  const go = (step: 1 | -1) => {
    const next = (at + step + found.length) % Math.max(1, found.length)
    const block = found[next]
    if (block === undefined) return
    setAt(next)
    commands.show(block)
  }
  const close = () => send({ type: 'CLOSE' })
  return (
    <chakra.search
      aria-label={t('find.label')}
      className="pl-float"
      position="absolute"
      top="3"
      left="50%"
      translate="-50% 0"
      w="max-content"
      maxW="calc(100% - 16px)"
      gap="1"
      zIndex="panel"
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key === 'Escape') close()
        if (event.key === 'Enter') go(event.shiftKey ? -1 : 1)
      }}
    >
      <Input
        autoFocus
        w="220px"
        minW="0"
        flexShrink="1"
        value={search}
        aria-label={t('find.label')}
        placeholder={t('find.label')}
        onChange={event => {
          setSearch(event.target.value)
          setAt(-1)
        }}
      />
      <chakra.output
        fontSize="xs"
        color="fg.muted"
        minW={{ base: '0', md: '64px' }}
        textAlign="center"
        whiteSpace="nowrap"
      >
        {search.trim() === '' ? '' : t('find.count', { count: found.length, at: at + 1 })}
      </chakra.output>
      <IconButton icon={ChevronUp} label={t('find.previous')} size="xs" onClick={() => go(-1)} />
      <IconButton icon={ChevronDown} label={t('find.next')} size="xs" onClick={() => go(1)} />
      <IconButton
        icon={mayEdit ? Replace : TextSearch}
        label={t(mayEdit ? 'keys.replace' : 'seek.title')}
        keys="Ctrl H"
        size="xs"
        onClick={() => openSearch(designer, send, { text: search.trim(), scope: 'flow', isReplacing: mayEdit })}
      />
      <IconButton icon={X} label={t('close')} size="xs" onClick={close} />
    </chakra.search>
  )
}
