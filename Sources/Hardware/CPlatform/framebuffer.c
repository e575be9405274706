#include "CPlatform.h"

#include <linux/fb.h>
#include <string.h>
#include <sys/ioctl.h>

static uint32_t mask(struct fb_bitfield field)
{
    uint32_t ones = field.length >= 32 ? UINT32_MAX : (UINT32_C(1) << field.length) - 1;
    return field.offset >= 32 ? 0 : ones << field.offset;
}

int detent_framebuffer_describe(int descriptor, struct detent_framebuffer *result)
{
    struct fb_var_screeninfo now;
    struct fb_fix_screeninfo always;
    memset(&now, 0, sizeof now);
    memset(&always, 0, sizeof always);
    if (ioctl(descriptor, FBIOGET_VSCREENINFO, &now) != 0) return -1;
    if (ioctl(descriptor, FBIOGET_FSCREENINFO, &always) != 0) return -1;
    result->width = now.xres;
    result->height = now.yres;
    result->bits = now.bits_per_pixel;
    result->line_bytes = always.line_length;
    result->first_line = now.yoffset;
    result->is_packed = always.type == FB_TYPE_PACKED_PIXELS;
    result->is_inverted = always.visual == FB_VISUAL_MONO01;
    switch (always.visual) {
    case FB_VISUAL_TRUECOLOR:
    case FB_VISUAL_DIRECTCOLOR:
        result->lit = mask(now.red) | mask(now.green) | mask(now.blue);
        break;
    default:
        /* White in the kernel's own palette of 16 colours; grey screens count up to white. */
        result->lit = now.grayscale == 1 ? UINT32_MAX : 15;
    }
    return 0;
}
