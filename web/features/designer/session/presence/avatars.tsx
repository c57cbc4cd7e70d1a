import { Box, Button, chakra, HStack } from '@chakra-ui/react'
import { LocateFixed } from 'lucide-react'
import { type CSSProperties, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AnchoredPopover } from '#web/components/anchored-popover.tsx'
import { initialsOf } from '#web/components/person-avatar.tsx'
import type { Peer } from '../../model/block-appearance.ts'
import { useStoreValue } from '../../model/store.ts'
import { useDesigner } from '../designer.ts'

/** A person's colour of the theme, '1' to '8'. */
export const colorOf = (color: string): string => `var(--chakra-colors-person-${color})`

/** For elements whose style sheet draws in `--person`. */
export const personStyle = (color: string): CSSProperties => ({ '--person': colorOf(color) }) as CSSProperties

const MAX_AVATARS = 4

export const PeerAvatar = ({ peer, size = 28 }: { readonly peer: Peer; readonly size?: number }) => (
  <chakra.span
    aria-hidden
    display="inline-flex"
    flex="none"
    alignItems="center"
    justifyContent="center"
    borderRadius="full"
    fontWeight="semibold"
    color={peer.viewer ? 'fg' : { base: 'white', _dark: '#121211' }}
    bg={peer.viewer ? 'bg.surface' : undefined}
    style={{
      width: size,
      height: size,
      fontSize: Math.max(9, Math.round(size * 0.39)),
      boxShadow: '0 0 0 2px var(--chakra-colors-bg-surface)',
      ...(peer.viewer ? { border: `2.5px solid ${colorOf(peer.color)}` } : { background: colorOf(peer.color) }),
    }}
  >
    {initialsOf(peer.name)}
  </chakra.span>
)

/** One entry per person, for any number of open windows. */
const onePerPerson = (people: readonly Peer[]): readonly Peer[] =>
  people.filter((peer, index) => people.findIndex(other => other.id === peer.id) === index)

const Card = ({ peer, onFollow }: { readonly peer: Peer; readonly onFollow: () => void }) => {
  const { t } = useTranslation('designer')
  return (
    <HStack gap="3" p="3">
      <PeerAvatar peer={peer} size={40} />
      <Box minW="130px">
        <chakra.b display="block" fontSize="sm">
          {peer.name}
        </chakra.b>
        <chakra.span fontSize="xs" color="fg.muted">
          {peer.viewer ? t('people.watching') : t('people.editing')}
        </chakra.span>
      </Box>
      <Button size="xs" onClick={onFollow}>
        <LocateFixed size={14} aria-hidden />
        {t('people.follow')}
      </Button>
    </HStack>
  )
}

const Avatar = ({ peer }: { readonly peer: Peer }) => {
  const { t } = useTranslation('designer')
  const { following } = useDesigner()
  const anchor = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  return (
    <>
      <chakra.button
        ref={anchor}
        type="button"
        aria-label={t('people.card', { name: peer.name })}
        aria-haspopup="dialog"
        aria-expanded={open}
        borderRadius="full"
        mr="-3px"
        cursor="pointer"
        onClick={() => setOpen(!open)}
      >
        <PeerAvatar peer={peer} />
      </chakra.button>
      {open ? (
        <AnchoredPopover anchor={anchor.current} align="end" onClose={() => setOpen(false)}>
          <Card
            peer={peer}
            onFollow={() => {
              following.set(peer.client)
              setOpen(false)
            }}
          />
        </AnchoredPopover>
      ) : null}
    </>
  )
}

/** Up to four other people, and a count of the rest. */
export const Avatars = () => {
  const { t } = useTranslation('designer')
  const { room } = useDesigner()
  const people = onePerPerson(useStoreValue(room.peers.people))
  const more = people.slice(MAX_AVATARS)
  if (people.length === 0) return null
  return (
    <HStack gap="0" as="ul" listStyleType="none" aria-label={t('people.here', { count: people.length })}>
      {people.slice(0, MAX_AVATARS).map(peer => (
        <chakra.li key={peer.client} display="flex">
          <Avatar peer={peer} />
        </chakra.li>
      ))}
      {more.length === 0 ? null : (
        <chakra.li ml="2" fontSize="xs" color="fg.muted" title={more.map(({ name }) => name).join(', ')}>
          +{more.length}
        </chakra.li>
      )}
    </HStack>
  )
}
