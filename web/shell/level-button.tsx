import { Button, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Network } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import { lazyPart } from '#web/lazy-module.ts'
import { levelsQuery, pathOf, useLevelEntry } from './level.ts'

const LevelPicker = lazyPart(async () => (await import('./level-picker.tsx')).LevelPicker)

/** Current level, and a menu to change it. */
export const LevelButton = () => {
  const { t } = useTranslation('shell')
  const { user } = useSession()
  const levels = useQuery(levelsQuery).data ?? []
  const anchor = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  useLevelEntry()
  const path = pathOf(levels, user.hierarchylevel)
  const [name, above] = [path.at(-1), path.at(-2)]
  return (
    <>
      <Button
        ref={anchor}
        variant="ghost"
        color="fg"
        px="2"
        maxW={{ base: '200px', xl: '380px' }}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={`${t('level.choose')}: ${path.join(' / ')}`}
        onClick={() => setOpen(!open)}
      >
        <Network size={16} strokeWidth={1.75} aria-hidden="true" />
        {above ? (
          <>
            <Text as="span" truncate flexShrink={4} color="fg.muted" fontWeight="normal" hideBelow="xl">
              {above}
            </Text>
            <Text as="span" color="fg.subtle" fontWeight="normal" hideBelow="xl">
              /
            </Text>
          </>
        ) : null}
        <Text as="span" truncate>
          {name ?? '…'}
        </Text>
        <ChevronDown size={14} aria-hidden="true" />
      </Button>
      {open ? (
        <Suspense>
          <LevelPicker anchor={anchor.current} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
