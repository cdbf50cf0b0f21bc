// profiles.ts: from what a hand does (sticks, wheel, pedals, keys) to what the two sides of a robot
// are asked for, or the whole of one that moves sideways as well. Pure functions; all values are
// shares of full power, -1 … 1.
//
// Signs: throttle > 0 forward; aside > 0 to the right; steer > 0 to the left (heading grows), as in
// the field's frame.

import { clamp } from "./numbers";

export type ProfileName = "tank" | "arcade" | "wheel" | "strafe";

/** What the functions of a profile read; those a profile does not use are 0. */
export interface Hands {
    left: number; // tank: left stick
    right: number; // tank: right stick
    throttle: number; // arcade, strafe: stick
    aside: number; // strafe: stick; > 0 to the right
    steer: number; // arcade, strafe: stick; wheel: the wheel; > 0 to the left
    accelerator: number; // wheel: pedal, 0 … 1
    brake: number; // wheel: pedal, 0 … 1; backs up
    quick: boolean; // wheel: turn on the spot
}

/** What a robot is asked for: by its sides, or by what it does as a whole. */
export interface Demand {
    left: number;
    right: number;
    throttle: number;
    aside: number;
    turn: number; // > 0 to the left
}

export const NEUTRAL_HANDS: Readonly<Hands> = Object.freeze({
    left: 0,
    right: 0,
    throttle: 0,
    aside: 0,
    steer: 0,
    accelerator: 0,
    brake: 0,
    quick: false,
});

export const NEUTRAL_DEMAND: Readonly<Demand> = Object.freeze({
    left: 0,
    right: 0,
    throttle: 0,
    aside: 0,
    turn: 0,
});

export interface ProfileFunction {
    key: keyof Hands;
    label: string;
    oneSided: boolean; // a pedal: rests at one end, 0 … 1
    button: boolean; // on or off
}

export interface Profile {
    name: ProfileName;
    label: string;
    sentence: string;
    sideways: boolean; // for robots that move sideways
    functions: ProfileFunction[];
}

const axis = (key: keyof Hands, label: string): ProfileFunction => ({
    key,
    label,
    oneSided: false,
    button: false,
});
const pedal = (key: keyof Hands, label: string): ProfileFunction => ({
    key,
    label,
    oneSided: true,
    button: false,
});

export const PROFILES: readonly Profile[] = [
    {
        name: "arcade",
        label: "Arcade",
        sentence: "One stick: push for throttle, sideways to turn.",
        sideways: false,
        functions: [axis("throttle", "Throttle"), axis("steer", "Turn")],
    },
    {
        name: "tank",
        label: "Tank",
        sentence: "Two sticks: each drives its own side.",
        sideways: false,
        functions: [axis("left", "Left side"), axis("right", "Right side")],
    },
    {
        name: "wheel",
        label: "Wheel",
        sentence: "Steering wheel and pedals: the wheel sets how tight the curve is.",
        sideways: false,
        functions: [
            axis("steer", "Steering wheel"),
            pedal("accelerator", "Throttle pedal"),
            pedal("brake", "Brake (backs up)"),
            { key: "quick", label: "Quick turn", oneSided: false, button: true },
        ],
    },
    {
        name: "strafe",
        label: "Strafe",
        sentence: "Two sticks: one moves it, forward and sideways, the other turns it.",
        sideways: true,
        functions: [
            axis("throttle", "Forward"),
            axis("aside", "Sideways"),
            axis("steer", "Turn"),
        ],
    },
];

/** The profiles for robots that move sideways, or for those that do not. */
export function profilesFor(sideways: boolean): readonly Profile[] {
    return PROFILES.filter((p) => p.sideways === sideways);
}

export function profileOf(name: string, among: readonly Profile[] = PROFILES): Profile {
    return among.find((p) => p.name === name) ?? among[0]!;
}

// Neither side may exceed 1; scaling both keeps the curve, cutting one would change it.
function normalised(left: number, right: number): Demand {
    const most = Math.max(1, Math.abs(left), Math.abs(right));
    const l = left / most;
    const r = right / most;
    return { left: l, right: r, throttle: (l + r) / 2, aside: 0, turn: (r - l) / 2 };
}

// Nothing gives way here: how a stick in the corner and a turn share the motors is the robot's.
export function strafe(throttle: number, aside: number, steer: number): Demand {
    return { ...NEUTRAL_DEMAND, throttle, aside, turn: steer };
}

/** left = T - s, right = T + s */
export function arcade(throttle: number, steer: number): Demand {
    return normalised(throttle - steer, throttle + steer);
}

export function tank(left: number, right: number): Demand {
    return normalised(left, right);
}

// The wheel gives curvature: turn = T s, so
//   left = T (1 - s),   right = T (1 + s)
// and the path is the same at every speed, backwards too. Standing still it turns only when the
// quick-turn button is held; then the wheel adds to the throttle as in arcade.
export function wheel(throttle: number, steer: number, quick: boolean): Demand {
    if (quick) {
        return arcade(throttle, steer);
    }
    return normalised(throttle * (1 - steer), throttle * (1 + steer));
}

export function demandOf(profile: ProfileName, hands: Hands): Demand {
    switch (profile) {
        case "tank":
            return tank(clamp(hands.left, -1, 1), clamp(hands.right, -1, 1));
        case "wheel":
            return wheel(
                clamp(hands.accelerator, 0, 1) - clamp(hands.brake, 0, 1),
                clamp(hands.steer, -1, 1),
                hands.quick,
            );
        case "arcade":
            return arcade(clamp(hands.throttle, -1, 1), clamp(hands.steer, -1, 1));
        case "strafe":
            return strafe(
                clamp(hands.throttle, -1, 1),
                clamp(hands.aside, -1, 1),
                clamp(hands.steer, -1, 1),
            );
    }
}

/** A share of full power as a value between an input's ends; 0 is its neutral. */
export function scaled(
    share: number,
    input: { low: number; high: number; neutral: number },
): number {
    const u = clamp(share, -1, 1);
    return u >= 0
        ? input.neutral + u * (input.high - input.neutral)
        : input.neutral + u * (input.neutral - input.low);
}
