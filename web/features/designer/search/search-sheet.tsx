import { chakra, HStack, Input } from '@chakra-ui/react'
import { CaseSensitive, Replace, WholeWord, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '#web/components/hint.tsx'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'
import { useMode } from '../mode/mode-context.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import type { SearchState } from '../session/search-state.ts'
import { UnloadedPart } from './failed-part.tsx'
import { SEARCH_FIELD_ID, useMayReplace } from './open-search.ts'

const hits = lazyModule(async () => (await import('./search-hits.tsx')).SearchHits)

type Switch = 'isExact' | 'isWholeWord' | 'isReplacing'

/** Text search. The field shows at once with the last query; the search module loads on first use. */
export const SearchSheet = () => {
  const { t } = useTranslation('designer')
  const { seek } = useDesigner()
  const { send } = useMode()
  const held = useStoreValue(seek)
  const mayReplace = useMayReplace()
  const field = useRef<HTMLInputElement>(null)
  const { value: SearchHits, error } = useLazyModule(hits)
  useEffect(() => field.current?.select(), [])
  const write = (part: Partial<SearchState>) => seek.set(now => ({ ...now, ...part }))
  const close = () => send({ type: 'CLOSE' })
  const option = (label: string, icon: typeof WholeWord, name: Switch) => (
    <IconButton
      icon={icon}
      label={label}
      size="xs"
      aria-pressed={held[name]}
      variant={held[name] ? 'subtle' : 'ghost'}
      onClick={() => write({ [name]: !held[name] })}
    />
  )
  return (
    <chakra.section
      className="pl-sheet"
      aria-label={t('seek.title')}
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key === 'Escape') close()
      }}
    >
      <HStack px="3.5" py="2">
        <chakra.h2 fontSize="md" flex="1">
          {t('seek.title')}
        </chakra.h2>
        <IconButton icon={X} label={t('close')} size="xs" onClick={close} />
      </HStack>
      <chakra.search className="pl-seek">
        <div className="pl-seek-row">
          <Input
            ref={field}
            id={SEARCH_FIELD_ID}
            autoFocus
            value={held.text}
            maxLength={500}
            aria-label={t('seek.text')}
            placeholder={t('seek.text')}
            onChange={event => write({ text: event.target.value })}
          />
          {option(t('seek.exact'), CaseSensitive, 'isExact')}
          {option(t('seek.word'), WholeWord, 'isWholeWord')}
          {mayReplace ? option(t('seek.replace'), Replace, 'isReplacing') : null}
        </div>
      </chakra.search>
      {SearchHits === undefined ? null : <SearchHits />}
      {error === undefined ? null : <UnloadedPart />}
    </chakra.section>
  )
}
