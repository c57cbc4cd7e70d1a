import { defineRecipe, defineSlotRecipe } from '@chakra-ui/react'
import { checkboxAnatomy, fieldAnatomy, nativeSelectAnatomy, switchAnatomy } from '@chakra-ui/react/anatomy'

/** Differences from Chakra's recipes: 32 px controls, real borders, two weights, the instance's focus ring. */
const control = { fontSize: 'sm', borderRadius: 'md', _disabled: { opacity: 0.5, cursor: 'not-allowed' } }

const field = {
  ...control,
  bg: 'bg.surface',
  borderColor: 'border.control',
  transition: 'border-color 90ms',
  _placeholder: { color: 'fg.subtle', opacity: 1 },
  _hover: { borderColor: 'fg.muted' },
  _focusVisible: {
    borderColor: 'accent.solid',
    outlineWidth: '2px',
    outlineStyle: 'solid',
    outlineColor: 'accent.focusRing',
    outlineOffset: '1px',
  },
  _invalid: { borderColor: 'danger.solid' },
  _readOnly: { bg: 'bg.subtle', borderColor: 'border' },
}

/** iOS zooms into inputs below 16 px. */
const touch = { fontSize: { base: '16px', md: 'sm' } }

export const recipe = {
  button: defineRecipe({
    base: {
      fontWeight: 'semibold',
      borderRadius: 'md',
      transitionDuration: 'fast',
      gap: '1.5',
      _active: { translate: '0 0.5px' },
      _disabled: { opacity: 0.5, cursor: 'not-allowed' },
      // Chakra hides the words of a busy button from screen readers too. Transparent words keep the name of the button.
      // Styles of recipes are in a layer below those of properties, hence `!important`.
      '&[data-loading] > span > span': { visibility: 'visible !important', color: 'transparent' },
    },
    variants: {
      size: {
        xs: { h: '7', minW: '7', px: '2.5', fontSize: 'xs', gap: '1.5', _icon: { w: '3.5', h: '3.5' } },
        sm: { h: '8', minW: '8', px: '3', fontSize: 'sm', gap: '1.5', _icon: { w: '4', h: '4' } },
        md: { h: '8', minW: '8', px: '3', fontSize: 'sm', gap: '1.5', _icon: { w: '4', h: '4' } },
        lg: { h: '10', minW: '10', px: '4', fontSize: 'md', gap: '2', _icon: { w: '4.5', h: '4.5' } },
        xl: { h: '11', minW: '11', px: '4', fontSize: 'md', gap: '2', _icon: { w: '5', h: '5' } },
      },
      variant: {
        outline: {
          bg: 'bg.surface',
          borderColor: 'border.emphasized',
          color: 'fg',
          _hover: { bg: 'bg.subtle' },
          _expanded: { bg: 'bg.subtle' },
        },
        ghost: {
          color: 'fg.muted',
          _hover: { bg: 'bg.subtle', color: 'fg' },
          _expanded: { bg: 'bg.subtle', color: 'fg' },
        },
        plain: {
          h: 'auto',
          minW: '0',
          px: '0',
          color: 'accent.fg',
          borderRadius: 'xs',
          _hover: { textDecoration: 'underline', textUnderlineOffset: '3px' },
        },
      },
    },
    defaultVariants: { size: 'md', variant: 'outline' },
  }),
  input: defineRecipe({
    variants: {
      size: {
        sm: { ...touch, px: '2.5', '--input-height': 'sizes.7' },
        md: { ...touch, px: '2.5', '--input-height': { base: 'sizes.11', md: 'sizes.8' } },
        lg: { fontSize: { base: '16px', md: 'md' }, px: '3', '--input-height': { base: 'sizes.11', md: 'sizes.10' } },
      },
      variant: { outline: field },
    },
    defaultVariants: { size: 'md', variant: 'outline' },
  }),
  textarea: defineRecipe({
    base: { lineHeight: '1.45' },
    variants: { size: { md: { ...touch, px: '2.5', py: '1.5', minH: '20' } }, variant: { outline: field } },
    defaultVariants: { size: 'md', variant: 'outline' },
  }),
  kbd: defineRecipe({
    base: { justifyContent: 'center', minW: '18px', fontWeight: 'normal', wordSpacing: 'normal', borderRadius: '4px' },
    variants: {
      size: { md: { h: '18px', fontSize: '2xs', lineHeight: '16px', px: '5px' } },
      variant: {
        raised: {
          borderWidth: '1px',
          borderBottomWidth: '1px',
          borderColor: 'border.emphasized',
          color: 'fg.muted',
          bg: 'bg.surface',
        },
      },
    },
    defaultVariants: { size: 'md', variant: 'raised' },
  }),
  link: defineRecipe({
    base: { color: 'accent.fg', borderRadius: 'xs', focusVisibleRing: 'outside', textUnderlineOffset: '3px' },
  }),
  skeleton: defineRecipe({
    base: { borderRadius: 'sm' },
    variants: { variant: { pulse: { background: 'bg.subtle' } } },
  }),
}

export const slotRecipe = {
  field: defineSlotRecipe({
    slots: fieldAnatomy.keys(),
    base: {
      root: { gap: '1' },
      label: { fontSize: 'xs', lineHeight: '16px', color: 'fg.muted', fontWeight: 'semibold' },
      helperText: { color: 'fg.subtle' },
      errorText: { fontWeight: 'normal', color: 'fg.error' },
    },
  }),
  nativeSelect: defineSlotRecipe({
    slots: nativeSelectAnatomy.keys(),
    variants: {
      size: {
        md: { field: { ...touch, '--select-field-height': { base: 'sizes.11', md: 'sizes.8' }, ps: '2.5', pe: '8' } },
      },
      variant: { outline: { field } },
    },
  }),
  switch: defineSlotRecipe({
    slots: switchAnatomy.keys(),
    variants: {
      size: { md: { root: { '--switch-width': '32px', '--switch-height': '18px' } } },
      variant: {
        solid: { control: { bg: 'border.control', _checked: { bg: 'accent.solid' } }, thumb: { bg: 'bg.surface' } },
      },
    },
  }),
  checkbox: defineSlotRecipe({
    slots: checkboxAnatomy.keys(),
    base: { label: { fontSize: 'sm', fontWeight: 'normal' }, control: { borderColor: 'border.control' } },
    variants: { size: { md: { control: { boxSize: '4' } } } },
  }),
}
